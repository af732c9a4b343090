#!/usr/bin/env node
// Builds what changed, then runs the tests, all or those of the folders named: node bin/test.mjs plugins/filesystem
// With --long, generated cases are many more, and other ones each time. With --wall, what passes between plugins is
// serialised on its way. With --changed, only what the changes since the last commit reach; --changed=main, since main.
// With --short, without the slow suites of test/slow-suites.mjs; with --slow, these alone.
// With --again, up to three suites that failed run once more, alone, and what passes then is named (decision 65).
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {slowSuites} from '../test/slow-suites.mjs';
import {findChangedTests} from './changed-tests.mjs';

/** More suites than this do not fail because the machine was busy. */
const MOST_AGAIN = 3;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const changed = words.find((word) => /^--changed(=|$)/.test(word));
const reached = changed ? findChangedTests(root, changed.split('=')[1]) : [];
if (changed) process.stderr.write(`Testing what changed: ${reached.join(', ')}\n`);
const slow = words.includes('--slow') ? slowSuites : [];
const named = [...words.filter((word) => !word.startsWith('-')), ...reached, ...slow];
const folders = named.map((word) => `test/dist/${word.replace(/\.ts$/, '')}`);
const options = words.filter(
  (word) =>
    word.startsWith('-') && word !== changed && !['--long', '--wall', '--again', '--short', '--slow'].includes(word),
);
const env = {
  ...process.env,
  ...(words.includes('--long') ? {FUZZ_RUNS: '20000', RULE_FUZZ_RUNS: '6000'} : {}),
  ...(words.includes('--wall') ? {GEMINI_TEST_WALL: '1'} : {}),
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** Runs jest, and gives its exit code. */
async function runJest(more, variables = {}) {
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      jest,
      // Before an option: the names of folders would be more patterns.
      ...(words.includes('--short')
        ? slowSuites.map((name) => `--testPathIgnorePatterns=test/dist/${name}\\.test`)
        : []),
      '--config',
      join(root, 'test', 'jest.config.mjs'),
      ...options,
      ...more,
    ],
    {cwd: root, env: {...env, ...variables}, stdio: 'inherit'},
  );
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/** Runs the tests; suites that failed run once more, with nothing beside them. */
async function runWithAgain() {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-test-'));
  const [first, second] = ['first', 'second'].map((name) => join(folder, name));
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
  try {
    const code = await runJest(folders, {GEMINI_TEST_RESULT: first});
    const {passed, leaks, files} = read(first);
    if (code === 0 || leaks > 0 || files.length === 0 || files.length > MOST_AGAIN) return code;
    process.stdout.write(`\nRunning again, alone: ${files.map(({path}) => path).join(', ')}\n`);
    const paths = ['--runInBand', '--runTestsByPath', ...files.map(({path}) => path)];
    const codeAgain = await runJest(paths, {GEMINI_TEST_RESULT: second});
    const again = read(second);
    const stillFailed = new Set(again.files.flatMap(({failed}) => failed));
    for (const name of files.flatMap(({failed}) => failed))
      if (!stillFailed.has(name)) process.stdout.write(`Passed only when it ran alone: ${name}\n`);
    const total = passed - files.reduce((sum, one) => sum + one.passed, 0) + again.passed;
    process.stdout.write(`${total} passed, ${again.failed} failed\n`);
    return codeAgain;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const {status} = spawnSync(process.execPath, [join(root, 'bin', 'setup.mjs'), '--quiet'], {stdio: 'inherit'});
if (status !== 0) process.exit(status ?? 1);
process.exitCode = words.includes('--again') ? await runWithAgain() : await runJest(folders);
