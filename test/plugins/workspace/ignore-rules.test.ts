import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {decide, decideByWalk, describeRule} from './decide.js';
import {checkIgnore, git} from './git-oracle.js';
import {temporaryDirectory, writeEntries} from './temporary-directory.js';

const NAMES = [
  'a',
  'b',
  'ab',
  'abc',
  'a.js',
  'b.js',
  'foo',
  'foobar',
  'bar',
  'é',
  'x y',
  '#h',
  '!n',
  'a*b',
  '[a]',
  '-',
  'c]',
  'a ',
  '.x',
  'aé',
  'a\\b',
  'c\\',
  'B.JS',
  'Foo',
];
const PIECES = [
  ...[
    'a',
    'b',
    'c',
    'foo',
    'bar',
    '.js',
    'é',
    'A',
    'B',
    ' ',
    '\t',
    '#',
    '!',
    'x',
    '*',
    '*',
    '**',
    '**',
    '***',
    '/',
    '/',
    '/',
    '?',
    '?',
  ],
  ...[
    '[ab]',
    '[!a]',
    '[a-c]',
    '[^b]',
    '[]a]',
    '[a-]',
    '[[:alpha:]]',
    '[[:upper:]b]',
    '[\\]a]',
    '[/]',
    '[é]',
    '[b-a]',
    '[A-B]',
    '[A]',
    '[[:x:]]',
    '[[:]',
    '[',
  ],
  ...['\\*', '\\a', '\\ ', '\\/', '\\#', '\\!', '\\'],
];
const name = fc.constantFrom(...NAMES);
const plain = fc
  .tuple(fc.constantFrom('', '!', '/', '!/'), name, fc.constantFrom('', '/'))
  .map((parts) => parts.join(''));
const wild = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/'),
    fc.array(fc.constantFrom(...PIECES), {minLength: 1, maxLength: 6}),
    fc.constantFrom('', '', '/'),
  )
  .map(([start, middle, end]) => `${start}${middle.join('')}${end}`);
const ignoreFile = fc
  .array(fc.oneof(plain, wild), {minLength: 1, maxLength: 6})
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
const folder = fc.array(name, {maxLength: 3});
const repository = fc.record({
  files: fc.array(fc.tuple(folder, name), {minLength: 10, maxLength: 40}),
  ignoreFiles: fc.array(fc.tuple(folder, ignoreFile), {minLength: 1, maxLength: 4}),
  exclude: fc.option(ignoreFile),
  link: fc.option(name),
  ignoreCase: fc.boolean(),
});

describe('agreement with git', () => {
  test('every file, directory and link of a generated repository is ignored by the same line [workspace.ignore]', async () => {
    await fc.assert(
      fc.asyncProperty(repository, async ({files, ignoreFiles, exclude, link, ignoreCase}) => {
        await using directory = await temporaryDirectory();
        const root = directory.path;
        await git(root, 'init', '--quiet', '--template=');
        await git(root, 'config', 'core.ignorecase', String(ignoreCase));
        const paths = new Set<string>();
        // A name may be taken by a file where a directory is wanted; then the entry is left out.
        const put = async (segments: readonly string[], act: (path: string) => Promise<unknown>): Promise<void> => {
          await mkdir(join(root, ...segments.slice(0, -1)), {recursive: true}).then(
            () => act(join(root, ...segments)),
            () => undefined,
          );
        };
        for (const [above, last] of files) {
          await put([...above, last], (path) => writeFile(path, '').catch(() => undefined));
          [...above, last].forEach((_, index) => paths.add([...above, last].slice(0, index + 1).join('/')));
        }
        if (link !== null) await put([`${link}-link`], (path) => symlink(root, path));
        paths.add(`${link}-link`);
        for (const [above, text] of ignoreFiles) await put([...above, '.gitignore'], (path) => writeFile(path, text));
        if (exclude !== null) await writeEntries(root, {'.git/info/exclude': exclude});
        const asked = [...paths];
        const expected = (
          await checkIgnore(
            root,
            asked.map((path) => join(root, path)),
          )
        ).map((rule) => describeRule(rule, root));
        expect(await decide(root, asked)).toEqual(expected);
        // What could not be made is met by no walk.
        const met = await decideByWalk(root, asked);
        expect([...met]).toEqual(
          asked.flatMap((path, index) => (met.has(path) ? [[path, expected[index] !== undefined]] : [])),
        );
      }),
      {numRuns: 60},
    );
  });

  test.each([
    ['a trailing space counts only after a backslash', 'a \nb\\ \n', ['a', 'a ', 'b', 'b ']],
    ['a byte order mark is no part of the first line', '\uFEFFa\n', ['a', 'b']],
    ['a slash in the middle anchors a pattern', 'x/a\n', ['x/a', 'y/x/a']],
    ['two stars cross directories', '**/a\nx/**/b\nc/**\n', ['a', 'y/a', 'x/b', 'x/y/z/b', 'c', 'c/d']],
    ['a file in an ignored directory cannot be taken back', 'x/\n!x/a\n', ['x/a', 'b']],
    ['a file of an ignored name can be taken back', 'x/*\n!x/a\n', ['x/a', 'x/b']],
    ['a pattern for directories leaves files alone', 'a/\n', ['a', 'x/a/b']],
    ['a comment and an escaped number sign differ', '#a\n\\#b\n', ['#a', '#b']],
  ])('%s', async (_, text, files) => {
    await using directory = await temporaryDirectory({
      '.gitignore': text,
      ...Object.fromEntries(
        files.filter((file) => !files.some((other) => other.startsWith(`${file}/`))).map((file) => [file, '']),
      ),
    });
    const root = directory.path;
    await git(root, 'init', '--quiet');
    const expected = (
      await checkIgnore(
        root,
        files.map((file) => join(root, file)),
      )
    ).map((rule) => describeRule(rule, root));
    expect(new Set(expected.map((rule) => rule !== undefined)).size).toBe(2);
    expect(await decide(root, files)).toEqual(expected);
  });

  test('a linked working tree reads the exclude file that it shares', async () => {
    await using directory = await temporaryDirectory({'main/a': '', 'main/.git-placeholder': ''});
    const main = join(directory.path, 'main');
    await git(main, 'init', '--quiet');
    await git(
      main,
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'first',
    );
    const linked = join(directory.path, 'linked');
    await git(main, 'worktree', 'add', '--quiet', linked);
    await writeEntries(main, {'.git/info/exclude': 'shared\n'});
    await writeEntries(linked, {shared: '', own: '', '.gitignore': 'own\n'});
    expect(await decide(linked, ['shared', 'own', 'a', '.git'])).toEqual([
      join(main, '.git/info/exclude:1: shared'),
      '.gitignore:1: own',
      undefined,
      'built in:0: .git',
    ]);
  });
});
