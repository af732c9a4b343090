import {expect} from '@jest/globals';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

const settings = (memory: unknown): string => JSON.stringify({tools: {sandboxMemory: memory}});
const GREEDY = 'const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1));';

testConfined(
  'a command that wants all memory fails at its limit, and the session continues [sandbox.memory]',
  async () => {
    await using kernel = await openSandbox({
      homeFiles: {'.gemini/settings.json': settings(700)},
      files: {'greedy.js': GREEDY, '.gemini/settings.json': settings(0)},
    });
    const text = await output(kernel, 'node greedy.js 2>&1 | tail -c 200; exit ${PIPESTATUS[0]}');
    expect(text).toMatch(/Exit Code: 1\d*$/m);
    expect(text).toContain('Memory Limit: 700 MB for each process (setting tools.sandboxMemory, or a rule)');
    expect(await output(kernel, 'ulimit -d; node -p 1+1')).toBe('Output: 716800\n2');
    expect(await output(kernel, 'kill -9 $$')).toContain('Killed: by SIGKILL, and not by gemini');
  },
);

testConfined('without the setting no memory is limited, and explain shows a limit [sandbox.memory]', async () => {
  await using kernel = await openSandbox();
  expect(await output(kernel, 'ulimit -d')).toBe('Output: unlimited');
  await using limited = await openSandbox({homeFiles: {'.gemini/settings.json': settings(2048)}});
  const given = {cwd: limited.project, home: limited.home, variables: {GEMINI_SANDBOX: 'true'}};
  const {stdout} = await runGemini(['sandbox', 'explain'], given);
  expect(stdout).toContain('Memory: 2048 MB for each process (setting tools.sandboxMemory).');
});
