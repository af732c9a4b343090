import {execFile} from 'node:child_process';
import {mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {checkIgnore, git} from '../workspace/git-oracle.js';
import {engineNames, openSearching, type Searching} from './engines.js';
import {ripgrepProgram} from './ripgrep-program.js';

const RUNS = 20;
const NAMES = ['a', 'b', 'ab', 'a.js', 'b.js', 'foo', 'bar', 'é', 'x y', '#h', '.x', 'build', 'Foo'];
const LINES = [
  'a',
  '/a',
  'a/',
  '*.js',
  '!b.js',
  '!a.js',
  'foo/*',
  '!foo/bar',
  '**/bar',
  'foo/**',
  'b/**/a',
  '/b/a',
  '?',
  'x y',
  '\\#h',
  '[ab]',
  '[!a]*',
  '.x',
  'é',
  'build',
  '/build/',
  '!build/a.js',
  '*',
  '!*/',
  '!foo/',
  'F*',
  'ab ',
  '#c',
  '',
];
const name = fc.constantFrom(...NAMES);
const folder = fc.array(name, {maxLength: 3});
const ignoreFile = fc
  .array(fc.constantFrom(...LINES), {minLength: 1, maxLength: 5})
  .map((lines) => `${lines.join('\n')}\n`);

interface Repository {
  readonly files: readonly (readonly string[])[];
  readonly ignoreFiles: readonly (readonly [readonly string[], string])[];
  readonly gemini: string | null;
  readonly exclude: string | null;
  readonly ignoreCase: boolean;
  /** A repository of its own inside. */
  readonly inner: readonly string[] | null;
}

const repository: fc.Arbitrary<Repository> = fc.record({
  files: fc.array(
    fc.tuple(folder, name).map(([above, last]) => [...above, last]),
    {minLength: 10, maxLength: 40},
  ),
  ignoreFiles: fc.array(fc.tuple(folder, ignoreFile), {minLength: 1, maxLength: 4}),
  gemini: fc.option(ignoreFile),
  exclude: fc.option(ignoreFile),
  ignoreCase: fc.boolean(),
  inner: fc.option(fc.array(name, {minLength: 1, maxLength: 2})),
});

let searching: Searching;
beforeAll(async () => {
  searching = await openSearching();
});
afterAll(() => searching[Symbol.asyncDispose]());

/**
 * Writes it into the project; what has no place, because a file stands where a directory is wanted, is left out. Gives
 * the files there are.
 */
async function make(
  root: string,
  {files, ignoreFiles, gemini, exclude, ignoreCase, inner}: Repository,
): Promise<readonly string[]> {
  for (const entry of await readdir(root)) await rm(join(root, entry), {recursive: true});
  const put = (path: string, text: string): Promise<unknown> =>
    mkdir(dirname(join(root, path)), {recursive: true})
      .then(() => writeFile(join(root, path), text))
      .catch((error: NodeJS.ErrnoException) => expect(error.code).toMatch(/^(EEXIST|ENOTDIR|EISDIR)$/));
  await git(root, 'init', '--quiet', '--template=');
  await git(root, 'config', 'core.ignorecase', String(ignoreCase));
  for (const path of files) await put(path.join('/'), 'text\n');
  for (const [above, text] of ignoreFiles) await put([...above, '.gitignore'].join('/'), text);
  if (gemini !== null) await put('.geminiignore', gemini);
  if (exclude !== null) await put('.git/info/exclude', exclude);
  if (inner !== null)
    await mkdir(join(root, ...inner), {recursive: true})
      .then(() => git(join(root, ...inner), 'init', '--quiet', '--template='))
      .catch((error: NodeJS.ErrnoException) => expect(error.code).toMatch(/^(EEXIST|ENOTDIR)$/));
  const all = await readdir(root, {recursive: true, withFileTypes: true});
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').includes('.git'))
    .sort();
}

async function globbed(engine: (typeof engineNames)[number]): Promise<readonly string[]> {
  const {data} = await searching.run(engine, 'glob', {pattern: '**/*'});
  return (data as {readonly files: readonly string[]}).files
    .map((path) => relative(searching.kernel.project, path))
    .sort();
}

test(
  'the files of a generated repository that every engine finds are those that the workspace does not ignore ' +
    '[search.ignore]',
  async () => {
    const root = searching.kernel.project;
    const workspace = await searching.kernel.service('workspace');
    await fc.assert(
      fc.asyncProperty(repository, async (generated) => {
        const files = await make(root, generated);
        const ignored = await workspace.ignored(files.map((file) => join(root, file)));
        const expected = files.filter((_, index) => !ignored[index]);
        const found = await Promise.all(engineNames.map(async (engine) => [engine, await globbed(engine)] as const));
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(engineNames.map((engine) => [engine, expected])));
      }),
      {numRuns: RUNS},
    );
  },
);

test('without ignore files of our own, they are those that git and ripgrep do not ignore [search.ignore]', async () => {
  const root = searching.kernel.project;
  await fc.assert(
    fc.asyncProperty(repository, async (generated) => {
      const files = await make(root, {...generated, gemini: null, inner: null, ignoreCase: false});
      const rules = await checkIgnore(
        root,
        files.map((file) => join(root, file)),
      );
      const expected = files.filter((_, index) => rules[index] === undefined);
      // It ends with 1 when there is nothing.
      const {stdout} = await promisify(execFile)(
        ripgrepProgram(),
        ['--no-config', '--files', '--hidden', '--null', '--no-ignore-global', '--no-ignore-dot', '--glob=!.git'],
        {cwd: root},
      ).catch((error: {code: number; stdout: string}) => ({stdout: error.code === 1 ? error.stdout : 'failed'}));
      expect(stdout.split('\0').slice(0, -1).sort()).toEqual(expected);
      const found = await Promise.all(engineNames.map(async (engine) => [engine, await globbed(engine)] as const));
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(engineNames.map((engine) => [engine, expected])));
    }),
    {numRuns: RUNS},
  );
});

test.each([
  ['braces are no choice in an ignore file', {'.gitignore': '{a,b}.txt\n'}, ['.gitignore', 'a.txt', 'b.txt', 'x.1']],
  ['a named class is one', {'.gitignore': 'x.[[:digit:]]\n'}, ['.gitignore', 'a.txt', 'b.txt', '{a,b}.txt']],
  ['the same in .geminiignore', {'.geminiignore': '{a,b}.txt\nx.[[:digit:]]\n'}, ['.geminiignore', 'a.txt', 'b.txt']],
  [
    'a line as long as no argument can be',
    {'.geminiignore': `${'a'.repeat(200_000)}\nx.1\n`},
    ['.geminiignore', 'a.txt', 'b.txt', '{a,b}.txt'],
  ],
  [
    'more lines than arguments can be',
    {'.geminiignore': Array.from({length: 200_000}, (_, index) => `n${index}\n`).join('') + 'x.1\n'},
    ['.geminiignore', 'a.txt', 'b.txt', '{a,b}.txt'],
  ],
])('%s [search.ignore]', async (_, ignoreFiles, expected) => {
  await using own = await openSearching({
    files: {'a.txt': '', 'b.txt': '', '{a,b}.txt': '', 'x.1': '', ...ignoreFiles},
  });
  await git(own.kernel.project, 'init', '--quiet', '--template=');
  for (const engine of engineNames) {
    const {data} = await own.run(engine, 'glob', {pattern: '*'});
    const files = (data as {readonly files: readonly string[]}).files
      .map((path) => relative(own.kernel.project, path))
      .sort();
    expect([engine, files]).toEqual([engine, expected]);
  }
});
