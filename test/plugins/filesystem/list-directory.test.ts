import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {filesystemKernel, outcome} from './built.js';

describe('list_directory', () => {
  test('lists directories first, then files with their size, by name whatever the case', async () => {
    await using kernel = await filesystemKernel({
      files: {'b.txt': '12', 'A.txt': '1', '.hidden': '', 'Zoo/x': '', 'apple/x': ''},
    });
    expect(await outcome(kernel, 'list_directory', {dir_path: '.'})).toEqual({
      model:
        'Directory listing for <project>:\n[DIR] apple\n[DIR] Zoo\n.hidden (0 bytes)\nA.txt (1 bytes)\nb.txt (2 bytes)',
      display: '5 names',
      data: {
        path: '<project>',
        entries: [
          {name: 'apple', kind: 'directory'},
          {name: 'Zoo', kind: 'directory'},
          {name: '.hidden', kind: 'file', bytes: 0},
          {name: 'A.txt', kind: 'file', bytes: 1},
          {name: 'b.txt', kind: 'file', bytes: 2},
        ],
        ignored: 0,
      },
    });
  });

  test('says what links lead to, and which lead nowhere', async () => {
    await using kernel = await filesystemKernel({files: {'dir/a.txt': '123'}});
    await symlink('dir', join(kernel.project, 'to-dir'));
    await symlink(join('dir', 'a.txt'), join(kernel.project, 'to-file'));
    await symlink('nowhere', join(kernel.project, 'to-nothing'));
    await symlink('circle', join(kernel.project, 'circle'));
    expect(await outcome(kernel, 'list_directory', {dir_path: '.'})).toMatchObject({
      model:
        'Directory listing for <project>:\n[DIR] dir\n[DIR] to-dir\ncircle (unreadable: a link that leads ' +
        'nowhere)\nto-file (3 bytes)\nto-nothing (unreadable: a link that leads nowhere)',
    });
  });

  test('counts what the ignore rules and the given patterns leave out', async () => {
    await using kernel = await filesystemKernel({
      files: {
        '.geminiignore': '*.log\ntarget/\n',
        'a.log': '',
        'target/x': '',
        'keep.txt': '',
        'old.bak': '',
        'sub.bak/x': '',
      },
    });
    const list = (input: object): Promise<unknown> =>
      outcome(kernel, 'list_directory', {dir_path: '.', ignore: ['*.bak', '.gemini*'], ...input});
    expect(await list({})).toMatchObject({
      model: 'Directory listing for <project>:\nkeep.txt (0 bytes)\n\n(5 ignored)',
      display: '1 names, 5 ignored',
    });
    expect(await list({file_filtering_options: {respect_gemini_ignore: false}})).toMatchObject({
      model: 'Directory listing for <project>:\n[DIR] target\na.log (0 bytes)\nkeep.txt (0 bytes)\n\n(3 ignored)',
    });
  });

  test('says that an empty directory is empty, and that one is not where all is ignored', async () => {
    await using kernel = await filesystemKernel({files: {'all/a.log': ''}});
    await mkdir(join(kernel.project, 'none'));
    expect(await outcome(kernel, 'list_directory', {dir_path: 'none'})).toMatchObject({
      model: 'Directory <project>/none is empty.',
    });
    expect(await outcome(kernel, 'list_directory', {dir_path: 'all', ignore: ['*.log']})).toMatchObject({
      model: 'Directory listing for <project>/all:\n\n\n(1 ignored)',
    });
  });

  test.each([
    [
      'a name that is not there',
      {dir_path: 'no'},
      {
        code: 'FOLDER_MISSING',
        message: 'Cannot list <project>/no: it does not exist.',
        hint: 'List its directory to check the name.',
      },
    ],
    [
      'a file',
      {dir_path: 'a.txt'},
      {
        code: 'FOLDER_IS_FILE',
        message: 'Cannot list <project>/a.txt: it is a file, or has a file in its path, where a directory is needed.',
        hint: 'List the directory above it to check the path.',
      },
    ],
    ['a path outside the workspace', {dir_path: '..'}, expect.objectContaining({code: 'PATH_OUTSIDE_WORKSPACE'})],
    ['no path', {}, expect.objectContaining({code: 'TOOL_INPUT_INVALID'})],
  ])('refuses %s', async (_, input, expected) => {
    await using kernel = await filesystemKernel({files: {'a.txt': ''}});
    expect(await outcome(kernel, 'list_directory', input)).toEqual(expected);
  });
});
