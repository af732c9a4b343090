import {openShell} from './open-shell.js';

// A program that runs a command which would continue for a minute, and ignores every request to end; it says where and
// waits to be killed.
const kernel = await openShell();
process.stdout.write(`${kernel.project}\n`);
await kernel.call('run_shell_command', {
  command:
    'trap "" TERM HUP INT; sh -c \'echo $$ >> pids; sleep 60\' & sleep 0.3; echo $$ >> pids; while :; do sleep ' +
    '0.05; done',
});
