import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {decide} from './decide.js';
import {git} from './git-oracle.js';
import {temporaryDirectory, writeEntries} from './temporary-directory.js';
import {compileWildcard} from '#plugins/workspace/dist/wildcard.js';
import {IgnoreRules} from '#plugins/workspace/dist/ignore-rules.js';
import {Roots} from '#plugins/workspace/dist/roots.js';

test('outside a git repository .gitignore says nothing and .geminiignore does', async () => {
  await using directory = await temporaryDirectory({'.gitignore': 'a\n', '.geminiignore': '# notes\nb\n'});
  expect(await decide(directory.path, ['a', 'b', 'x/b', '.git/config'])).toEqual([
    undefined,
    '.geminiignore:2: b',
    '.geminiignore:2: b',
    'built in:0: .git',
  ]);
});

test('.geminiignore is stronger than git, and of custom files the first is the strongest', async () => {
  await using directory = await temporaryDirectory({
    '.gitignore': 'built/\nkept\n',
    '.geminiignore': '!built/\n!kept\nsecret\n',
    first: '!secret\nlast\n',
    second: 'secret\n!last\n',
  });
  const root = directory.path;
  await git(root, 'init', '--quiet');
  await writeEntries(root, {'built/a': '', 'inner/.geminiignore': 'a\n'});
  const paths = ['built/a', 'kept', 'secret', 'last', 'inner/a'];
  const custom = [join(root, 'first'), join(root, 'second')];
  expect({
    both: await decide(root, paths),
    custom: await decide(root, paths, {custom}),
    gitOnly: await decide(root, paths, {gemini: false}),
    geminiOnly: await decide(root, paths, {git: false}),
  }).toEqual({
    both: [undefined, undefined, '.geminiignore:3: secret', undefined, undefined],
    custom: [undefined, undefined, undefined, 'first:2: last', undefined],
    gitOnly: ['.gitignore:1: built/', '.gitignore:2: kept', undefined, undefined, undefined],
    geminiOnly: [undefined, undefined, '.geminiignore:3: secret', undefined, undefined],
  });
});

test('a repository inside another follows its own files, unless the outer one ignores it as a whole', async () => {
  await using directory = await temporaryDirectory({
    '.gitignore': 'vendor/\n*.log\n',
    'inner/.gitignore': 'own\n',
    'vendor/a': '',
    'inner/own': '',
    'inner/a.log': '',
  });
  const root = directory.path;
  for (const path of [root, join(root, 'inner'), join(root, 'vendor')]) await git(path, 'init', '--quiet');
  expect(await decide(root, ['inner/a.log', 'inner/own', 'vendor/a', 'a.log'])).toEqual([
    undefined,
    'inner/.gitignore:1: own',
    '.gitignore:1: vendor/',
    '.gitignore:2: *.log',
  ]);
});

test('a root that git ignores is searched all the same, and patterns from above it still count', async () => {
  await using directory = await temporaryDirectory({
    '.gitignore': 'built/\n*.log\n',
    'built/a': '',
    '.geminiignore': 'built/c\n',
    'built/.geminiignore': 'd\n',
  });
  const root = directory.path;
  await git(root, 'init', '--quiet');
  const inner = {roots: [root, join(root, 'built')]};
  expect(await decide(root, ['built', 'built/a', 'built/b.log', 'built/c', 'built/d'], inner)).toEqual([
    undefined,
    undefined,
    '.gitignore:2: *.log',
    '.geminiignore:1: built/c',
    'built/.geminiignore:1: d',
  ]);
  expect(await decide(join(root, 'built'), ['a', 'c'])).toEqual([undefined, undefined]);
});

test('what lies in no root is never ignored', async () => {
  await using directory = await temporaryDirectory({'.geminiignore': '*\n', 'root/.geminiignore': '*\n'});
  expect(await decide(join(directory.path, 'root'), ['../a', 'a'])).toEqual([undefined, '.geminiignore:1: *']);
});

test('a changed file counts at once', async () => {
  await using directory = await temporaryDirectory({'.geminiignore': 'a\n'});
  const roots = new Roots();
  roots.add({path: directory.path, source: 'cwd'});
  const rules = new IgnoreRules({tell: () => undefined, platform: 'linux'});
  const ask = async (): Promise<unknown> =>
    (
      await rules.decide([join(directory.path, 'a'), join(directory.path, 'b')], {
        roots,
        git: true,
        gemini: true,
        custom: [],
      })
    ).map((rule) => rule?.pattern);
  const before = await ask();
  await writeFile(join(directory.path, '.geminiignore'), 'b\n');
  expect([before, await ask()]).toEqual([
    ['a', undefined],
    [undefined, 'b'],
  ]);
});

test('an ignore file that is missing, though it was named, and one that is a directory are each said once', async () => {
  await using directory = await temporaryDirectory({'.geminiignore': null, folder: null});
  const warnings: string[] = [];
  const custom = [join(directory.path, 'none'), join(directory.path, 'folder')];
  await decide(directory.path, ['a', 'x/b'], {custom, warnings});
  expect(warnings.sort()).toEqual([
    ...['.geminiignore', 'folder'].map(
      (name) =>
        `Ignoring the file ${join(directory.path, name)}, because it cannot be read: it is a directory, not a file.`,
    ),
    `The ignore file ${join(directory.path, 'none')}, named by context.fileFiltering.customIgnoreFilePaths, is ` +
      'missing.',
  ]);
});

test('a separator at the end says that a path is a directory', async () => {
  await using directory = await temporaryDirectory({'.geminiignore': 'a/\n', b: '', 'here/a': null});
  expect(await decide(directory.path, ['a', 'a/', 'b/a', 'here/a'])).toEqual([
    undefined,
    '.geminiignore:1: a/',
    undefined,
    '.geminiignore:1: a/',
  ]);
});

test.each<[NodeJS.Platform, string | undefined]>([
  ['linux', undefined],
  ['darwin', '.geminiignore:1: Read*'],
  ['win32', '.geminiignore:1: Read*'],
])('on %s the case of names counts as its file systems see it', async (platform, expected) => {
  await using directory = await temporaryDirectory({'.geminiignore': 'Read*\n'});
  expect(await decide(directory.path, ['readme'], {platform})).toEqual([expected]);
});

test('a hostile pattern takes no more time than its length times that of the name', () => {
  const matches = compileWildcard(`${'*a'.repeat(60)}*b`, {acrossFolders: false, ignoreCase: false});
  const matchesPath = compileWildcard(`${'**/*a*/'.repeat(30)}b`, {acrossFolders: true, ignoreCase: false});
  expect([
    matches('a'.repeat(250)),
    matches(`${'a'.repeat(250)}b`),
    matchesPath('aaa/'.repeat(200)),
    matchesPath(`${'aaa/'.repeat(200)}b`),
  ]).toEqual([false, true, false, true]);
});

test('ten thousand paths in a thousand directories are answered in one go', async () => {
  await using directory = await temporaryDirectory({'.gitignore': '*.log\n/built\n**/temporary/**\n'});
  await git(directory.path, 'init', '--quiet');
  const paths = Array.from(
    {length: 10_000},
    (_, index) => `p${index % 10}/q${index % 1000}/${index % 7 === 0 ? 'a.log' : 'a.ts'}`,
  );
  expect((await decide(directory.path, paths)).filter((rule) => rule !== undefined)).toHaveLength(1429);
});
