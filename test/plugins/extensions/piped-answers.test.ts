import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {PassThrough, Readable} from 'node:stream';
import {expect, test} from '@jest/globals';
import {PipedAnswers} from '#plugins/extensions/dist/store/piped-answers.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {extension, makeFolder, writeFiles} from './scene.js';

const {signal} = new AbortController();

async function all(pieces: readonly string[]): Promise<readonly (string | undefined)[]> {
  const answers = new PipedAnswers(Readable.from(pieces));
  const lines: (string | undefined)[] = [];
  do lines.push(await answers.next(signal));
  while (lines.at(-1) !== undefined && lines.length < 10);
  return lines;
}

test.each([
  [[], [undefined]],
  [['y'], ['y', undefined]],
  [['y\nn\n'], ['y', 'n', undefined]],
  [
    ['ye', 's\r', '\n\n', ' N '],
    ['yes', '', 'N', undefined],
  ],
])('of %j the answers are %j [extensions.piped]', async (pieces, lines) => {
  expect(await all(pieces)).toEqual(lines);
});

test('a line that is too long is no answer [extensions.piped]', async () => {
  expect(await all(['x'.repeat(17_000), '\ny\n'])).toEqual([undefined]);
});

test('an input that stays silent gives no answer, and one that is stopped gives its reason [extensions.piped]', async () => {
  const input = new PassThrough();
  const answers = new PipedAnswers(input, 20);
  expect(await answers.next(signal)).toBeUndefined();
  const stop = new AbortController();
  const waiting = new PipedAnswers(new PassThrough()).next(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  answers.close();
  expect(input.destroyed).toBe(true);
});

test('a script agrees with y on standard input, to each question on a line of its own [extensions.piped]', async () => {
  await using place = await makeFolder();
  const home = join(place.path, 'home');
  const make = (name: string, manifest: object): Promise<void> =>
    writeFiles(join(place.path, name), extension({name, ...manifest}));
  const run = (input: string | undefined, ...words: readonly string[]): Promise<RunResult> =>
    runGemini(['extensions', ...words], {cwd: place.path, home, ...(input === undefined ? {} : {input})});
  await Promise.all([make('one', {}), make('two', {})]);
  for (const answer of [undefined, '', 'n\n', '\n', 'yesterday\n'])
    expect(await run(answer, 'install', 'one')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Install one\? \[y\/N\]\nError: one was not installed/),
    });
  expect(await run('y\n', 'install', 'one', '--json')).toMatchObject({code: 1});
  expect(await readdir(home)).not.toContain('.gemini');
  expect(await run('Y\n', 'install', 'one')).toMatchObject({code: 0, stdout: 'one 1.0.0 is installed.\n'});
  expect(await run('yes', 'install', 'two')).toMatchObject({code: 0});
  const more = {version: '2.0.0', excludeTools: ['write_file']};
  await Promise.all([make('one', more), make('two', more)]);
  expect(await run('n\ny\n', 'update', '--all')).toMatchObject({code: 1, stdout: 'two 1.0.0 is now 2.0.0.\n'});
}, 60_000);
