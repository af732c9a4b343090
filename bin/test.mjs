#!/usr/bin/env node
// Builds what changed, then runs the tests, all or those of the folders named: node bin/test.mjs plugins/filesystem
// With --long, generated cases are many more, and other ones each time. With --wall, what passes between plugins is
// serialised on its way. With --changed, only what the changes since the last commit reach; --changed=main, since main.
import {spawn, spawnSync} from 'node:child_process';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {findChangedTests} from './changed-tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const changed = words.find((word) => /^--changed(=|$)/.test(word));
const reached = changed ? findChangedTests(root, changed.split('=')[1]) : [];
if (changed) process.stderr.write(`Testing what changed: ${reached.join(', ')}\n`);
const named = [...words.filter((word) => !word.startsWith('-')), ...reached];
const folders = named.map((word) => `test/dist/${word.replace(/\.ts$/, '')}`);
const options = words.filter(
  (word) => word.startsWith('-') && word !== changed && !['--long', '--wall'].includes(word),
);
const env = {
  ...process.env,
  ...(words.includes('--long') ? {FUZZ_RUNS: '20000', RULE_FUZZ_RUNS: '6000'} : {}),
  ...(words.includes('--wall') ? {GEMINI_TEST_WALL: '1'} : {}),
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const {status} = spawnSync(process.execPath, [join(root, 'bin', 'setup.mjs'), '--quiet'], {stdio: 'inherit'});
if (status !== 0) process.exit(status ?? 1);
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--config',
    join(root, 'test', 'jest.config.mjs'),
    ...options,
    ...folders,
  ],
  {cwd: root, env, stdio: 'inherit'},
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
