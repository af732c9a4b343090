import {spawn} from 'node:child_process';
import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate, runGemini} from '../helpers/run-gemini.js';

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the program with an output whose reader is gone before the first byte. */
function runUnread(words: readonly string[], cwd: string): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
      cwd,
      env: isolate(cwd),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stdout.destroy();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({code, stderr}));
  });
}

test.concurrent.each([
  ['directory show'],
  ['settings list --all --json'],
  ['tools list'],
  ['--help'],
  ['tour'],
  ['--version'],
])('gemini %s ends quietly when the reader of its output is gone [cli.closed-pipe]', async (line) => {
  await using folder = await makeFolder();
  expect(await runUnread(line.split(' '), folder.path)).toEqual({code: 0, stderr: ''});
});

test.concurrent.each([
  ['directory show'],
  ['--help'],
  ['tools describe replace'],
  ['doctor'],
  ['tour'],
  ['no-such-command'],
  ['directory show --no-such-flag'],
])('gemini %s prints no escape codes into a pipe, whatever the terminal can do [cli.no-colour]', async (line) => {
  await using folder = await makeFolder();
  const {stdout, stderr} = await runGemini(line.split(' '), {
    cwd: folder.path,
    home: folder.path,
    variables: {TERM: 'xterm-256color', COLORTERM: 'truecolor'},
  });
  expect((stdout + stderr).match(/\u001b[^a-z]*[a-z]?/i)).toBeNull();
});

test('a tour through a pipe runs every step and leaves nothing behind [tour.runs-through]', async () => {
  await using folder = await makeFolder();
  await using temporary = await makeFolder();
  const {code, stdout, stderr} = await runGemini([], {
    cwd: folder.path,
    home: folder.path,
    variables: {TMPDIR: temporary.path, TEMP: temporary.path},
  });
  expect({
    code,
    stderr,
    steps: stdout.match(/^\d\/\d /gm)?.length,
    edited: stdout.includes('return `Hello, ${name}!`;'),
  }).toEqual({code: 0, stderr: '', steps: 7, edited: true});
  expect(await readdir(temporary.path)).toEqual([]);
  expect((await readdir(folder.path)).filter((name) => name !== '.cache')).toEqual([]);
});

test('a tour as JSON is one document with every command [tour.runs-through]', async () => {
  await using folder = await makeFolder();
  const {code, stdout, stderr} = await runGemini(['tour', '--json'], {cwd: folder.path, home: folder.path});
  const {steps} = JSON.parse(stdout) as {steps: readonly {code: number}[]};
  expect({code, stderr, codes: steps.map((step) => step.code)}).toEqual({
    code: 0,
    stderr: '',
    codes: [0, 0, 0, 0, 0, 0, 0],
  });
});

test('a first run without a place to keep its cache works all the same [cli.read-only]', async () => {
  await using folder = await makeFolder();
  const blocked = join(folder.path, 'a-file');
  await writeFile(blocked, '');
  expect(
    await runGemini(['directory', 'show'], {
      cwd: folder.path,
      home: folder.path,
      variables: {XDG_CACHE_HOME: blocked, XDG_DATA_HOME: blocked},
    }),
  ).toEqual({
    code: 0,
    stdout: `Tools reach 1 directory:\n  ${folder.path}  current directory\n`,
    stderr: '',
  });
});
