import {openShell} from './shell.js';

// A program of its own, so that the most memory it ever had is that of one command with so many bytes of output.
await using kernel = await openShell();
const bytes = Number(process.argv[2]);
const outcome = await kernel.call('run_shell_command', {
  command: `yes 'a line of output as long as lines often are' | head -c ${bytes}`,
});
const seen = outcome.status === 'done' ? (outcome.result.data as {readonly bytes: number}).bytes : outcome;
if (seen !== bytes) throw new Error(`Expected ${bytes} bytes, got ${JSON.stringify(seen)}.`);
