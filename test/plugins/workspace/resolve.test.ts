import {mkdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, parse} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {isToolError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {temporaryDirectory, writeEntries, type Entries} from './temporary-directory.js';
import {onLinux} from '../../helpers/where.js';
import {findPathFault} from '#plugins/workspace/dist/real-path.js';

const plugins = [pluginRoot('settings'), pluginRoot('workspace')];

/** The real path relative to the project, or the error's code. */
async function resolve(kernel: TestKernel, path: string): Promise<string> {
  const workspace = await kernel.service('workspace');
  try {
    return (await workspace.resolve(path)).replace(kernel.project, '.');
  } catch (error) {
    if (isToolError(error)) return error.code;
    throw error;
  }
}

const entries: Entries = {
  'a.txt': 'a',
  'sub/b.txt': 'b',
  '../outside/secret.txt': 's',
  'to-file': {link: 'a.txt'},
  'to-folder': {link: 'sub'},
  'out-file': {link: '../outside/secret.txt'},
  'out-folder': {link: '../outside'},
  'out-absolute': {link: '/'},
  'dangling-in': {link: 'sub/none/new.txt'},
  'dangling-out': {link: '../outside/none.txt'},
  'dangling-chain': {link: 'dangling-out'},
  'dangling-up': {link: 'out-folder/../other/new.txt'},
  'dangling-folder': {link: '../none'},
  'loop-a': {link: 'loop-b'},
  'loop-b': {link: 'loop-a'},
  self: {link: 'self/x'},
  '../project-twin/a.txt': 'twin',
  '~/literal.txt': 'l',
};

describe('a path', () => {
  test.each([
    ['a file by its name', 'a.txt', './a.txt'],
    ['the root itself', '.', '.'],
    ['a detour that stays inside', 'sub/../a.txt', './a.txt'],
    ['dots and double slashes', './/sub/./b.txt', './sub/b.txt'],
    ['a link to a file inside', 'to-file', './a.txt'],
    ['a link to a folder inside', 'to-folder/b.txt', './sub/b.txt'],
    ['a new file', 'new.txt', './new.txt'],
    ['a new file in new folders', 'x/y/z.txt', './x/y/z.txt'],
    ['a new file beyond a link inside', 'to-folder/x/new.txt', './sub/x/new.txt'],
    ['a dangling link to a place inside', 'dangling-in', './sub/none/new.txt'],
    ['a file in a folder that is really named with a tilde', './~/literal.txt', './~/literal.txt'],
    ['a name with a newline', 'two\nlines', './two\nlines'],
    ['a name of percent signs, taken as it is', '%2e%2e/a.txt', './%2e%2e/a.txt'],
    ['the folder above', '..', 'PATH_OUTSIDE_WORKSPACE'],
    ['a way up and out', '../outside/secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['a way up, out and into a new file', 'sub/../../outside/new.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['a folder whose name begins like the root', '../project-twin/a.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['an absolute path', '/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['the home directory', '~/notes.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['a link to a file outside', 'out-file', 'PATH_OUTSIDE_WORKSPACE'],
    ['a file beyond a link to a folder outside', 'out-folder/secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['a new file beyond a link to a folder outside', 'out-folder/new/new.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['a link to the top', 'out-absolute/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['a dangling link to a place outside', 'dangling-out', 'PATH_OUTSIDE_WORKSPACE'],
    ['a dangling link to a dangling link', 'dangling-chain', 'PATH_OUTSIDE_WORKSPACE'],
    ['a dangling link that goes up from where a link leads', 'dangling-up', 'PATH_OUTSIDE_WORKSPACE'],
    ['a new file beyond a dangling link to a folder', 'dangling-folder/new.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['links in a circle', 'loop-a', 'PATH_UNRESOLVABLE'],
    ['a new file beyond links in a circle', 'loop-b/new.txt', 'PATH_UNRESOLVABLE'],
    ['a link into itself', 'self', 'PATH_UNRESOLVABLE'],
    ['a file in place of a folder', 'a.txt/b.txt', 'PATH_UNRESOLVABLE'],
    ['a name too long', 'x'.repeat(300), 'PATH_UNRESOLVABLE'],
    ['nothing', '', 'PATH_INVALID'],
    ['a NUL character', 'a.txt\0.png', 'PATH_INVALID'],
  ])('%s', async (_, path, expected) => {
    await using kernel = await createTestKernel({plugins});
    await writeEntries(kernel.project, entries);
    expect(await resolve(kernel, path)).toBe(expected);
  });

  test('says what it really is and which directories tools reach', async () => {
    await using kernel = await createTestKernel({plugins});
    await writeEntries(kernel.project, entries);
    const workspace = await kernel.service('workspace');
    const outside = join(dirname(kernel.project), 'outside');
    await expect(workspace.resolve('out-file')).rejects.toMatchObject({
      code: 'PATH_OUTSIDE_WORKSPACE',
      message:
        `out-file is outside the workspace. Its real path is ${outside}/secret.txt. Tools can reach only ` +
        `${kernel.project}.`,
      hint: `Use a path inside the workspace, or ask the user to run: gemini directory add ${outside}`,
      data: {path: 'out-file', real: `${outside}/secret.txt`, roots: [kernel.project]},
    });
    await expect(workspace.resolve('loop-a')).rejects.toMatchObject({
      message: `Cannot find the real path of ${kernel.project}/loop-a: its symbolic links form a loop.`,
    });
  });

  onLinux.each([
    ['/proc/self/root', 'etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['/proc/self/cwd', 'x', 'PATH_OUTSIDE_WORKSPACE'],
    ['/proc/self/fd/0', '', 'PATH_OUTSIDE_WORKSPACE'],
  ])('through %s is the place it leads to', async (door, rest, expected) => {
    await using kernel = await createTestKernel({plugins});
    expect(await resolve(kernel, join(door, rest))).toBe(expected);
    expect(await resolve(kernel, `/proc/self/root${kernel.project}/new.txt`)).toBe('./new.txt');
  });

  onLinux.each([
    ['another case', (project: string) => project.replace(/project$/, 'Project')],
    ['a composed letter where the root has a decomposed one', (project: string) => `${project}/caf\u00e9`],
  ])('with %s is another path where the file system says so', async (_, variant) => {
    await using kernel = await createTestKernel({plugins, flags: {'context.includeDirectories': []}});
    const other = variant(kernel.project);
    await mkdir(join(dirname(kernel.project), 'elsewhere'));
    await symlink(join(dirname(kernel.project), 'elsewhere'), other);
    await mkdir(join(kernel.project, 'cafe\u0301'));
    expect([await resolve(kernel, other), await resolve(kernel, 'cafe\u0301/x')]).toEqual([
      'PATH_OUTSIDE_WORKSPACE',
      './cafe\u0301/x',
    ]);
  });
});

test('locate goes as the system does, wherever that leads: a link before .. counts [workspace.real-paths]', async () => {
  await using kernel = await createTestKernel({plugins, files: {'inside/a.txt': 'a'}});
  const workspace = await kernel.service('workspace');
  await mkdir(join(kernel.home, 'deep', 'er'), {recursive: true});
  await symlink(join(kernel.home, 'deep', 'er'), join(kernel.project, 'link'));
  await symlink('loop', join(kernel.project, 'loop'));
  expect(await workspace.locate(['link/../secret', 'inside/../b.txt', '~/c', 'inside/none/d', 'loop', ''])).toEqual([
    join(kernel.home, 'deep', 'secret'),
    join(kernel.project, 'b.txt'),
    join(kernel.home, 'c'),
    join(kernel.project, 'inside', 'none', 'd'),
    'loop',
    '',
  ]);
});

describe('roots', () => {
  test('may lie in each other; the innermost one answers', async () => {
    await using kernel = await createTestKernel({
      plugins,
      files: {'sub/deep/a': ''},
      flags: {'context.includeDirectories': ['sub']},
    });
    const workspace = await kernel.service('workspace');
    const rootOf = async (path: string): Promise<unknown> => (await workspace.explain(path)).root;
    expect([await rootOf('sub/deep/a'), await rootOf('subway')]).toEqual([
      {path: join(kernel.project, 'sub'), source: 'flag'},
      {path: kernel.project, source: 'cwd'},
    ]);
  });

  test('the top of the file system holds everything', async () => {
    await using kernel = await createTestKernel({plugins, flags: {'context.includeDirectories': ['/']}});
    const {root} = parse(kernel.project);
    expect(await resolve(kernel, `${root}does-not-exist`)).toBe(`${root}does-not-exist`);
  });

  test('that are links count where they lead', async () => {
    await using target = await temporaryDirectory({'a.txt': 'a'});
    await using kernel = await createTestKernel({plugins});
    const link = join(kernel.home, 'link');
    await symlink(target.path, link);
    const workspace = await kernel.service('workspace');
    await workspace.add([link], {scope: 'session'});
    expect([await resolve(kernel, join(link, 'a.txt')), await resolve(kernel, join(target.path, 'a.txt'))]).toEqual([
      join(target.path, 'a.txt'),
      join(target.path, 'a.txt'),
    ]);
  });

  test('that were removed hold what is made there again, but not what a link there leads to', async () => {
    await using kernel = await createTestKernel({
      plugins,
      files: {'../lib/a.txt': ''},
      flags: {'context.includeDirectories': ['../lib']},
    });
    const lib = join(dirname(kernel.project), 'lib');
    await (await kernel.service('workspace')).roots();
    await rm(lib, {recursive: true});
    const removed = await resolve(kernel, join(lib, 'a.txt'));
    await symlink('/etc', lib);
    expect([removed, await resolve(kernel, join(lib, 'passwd'))]).toEqual([
      join(lib, 'a.txt'),
      'PATH_OUTSIDE_WORKSPACE',
    ]);
  });

  test('keep no path inside that a rename has led out', async () => {
    await using kernel = await createTestKernel({plugins, files: {'sub/a.txt': 'in', '../outside/a.txt': 'out'}});
    const before = await resolve(kernel, 'sub/a.txt');
    await rename(join(kernel.project, 'sub'), join(kernel.project, 'kept'));
    await symlink('../outside', join(kernel.project, 'sub'));
    expect([
      before,
      await resolve(kernel, 'sub/a.txt'),
      await readFile(join(kernel.project, 'sub/a.txt'), 'utf8'),
    ]).toEqual(['./sub/a.txt', 'PATH_OUTSIDE_WORKSPACE', 'out']);
    await writeFile(join(kernel.project, 'kept/b.txt'), '');
    expect(await resolve(kernel, 'kept/b.txt')).toBe('./kept/b.txt');
  });
});

test.each([
  ['C:\\work\\notes.txt', false],
  ['\\\\?\\C:\\work\\notes.txt', false],
  ['notes.txt', false],
  ['notes.txt:hidden', true],
  ['C:\\work\\notes.txt::$DATA', true],
])('on Windows %s names a stream: %s', (path, isFault) => {
  expect([findPathFault(path, 'win32') !== undefined, findPathFault(path, 'linux')]).toEqual([isFault, undefined]);
});
