import {spawnSync} from 'node:child_process';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {onPosix} from '../helpers/where.js';

let home: string;
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gemini-lost-')));
});
afterAll(() => rm(home, {recursive: true, force: true}));

// Windows does not let a directory go in which a process is.

onPosix('a command in a directory that is gone says so, with CWD_MISSING for programs', () => {
  const program = `${process.execPath} ${join(checkout, 'bin', 'gemini.cjs')}`;
  const run = spawnSync('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && ${program} directory show --json`], {
    cwd: home,
    env: isolate(home),
  });
  const message = 'The current directory is gone, or may not be entered.';
  const hint = 'Go to a directory that exists, then try again.';
  expect({
    code: run.status,
    stdout: JSON.parse(run.stdout.toString()) as unknown,
    stderr: run.stderr.toString(),
  }).toEqual({
    code: 42,
    stdout: {error: {type: 'KernelError', code: 'CWD_MISSING', message, hint, exit: 42}},
    stderr: expect.stringContaining(`Error: ${message}\n${hint}\n`),
  });
});
