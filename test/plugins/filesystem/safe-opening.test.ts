import {mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {machineMark} from '@gemini-kernel/files/writing';
import {describe, expect, test} from '@jest/globals';
import {built, filesystemKernel} from './built.js';

const {openFile} = await built<typeof import('../../../plugins/filesystem/src/opened-file.js')>('opened-file');
const {openFolder} = await built<typeof import('../../../plugins/filesystem/src/folder.js')>('folder');
const {writeAtomically} = await built<typeof import('../../../plugins/filesystem/src/atomic-write.js')>('atomic-write');

const signal = new AbortController().signal;

describe('what was judged is what is opened', () => {
  test('a file that became a link is not read', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'a\n', 'secret.txt': 's\n'}});
    const workspace = await kernel.service('workspace');
    const path = await workspace.resolve('a.txt');
    await rm(path);
    await symlink(join(kernel.project, 'secret.txt'), path);
    await expect(openFile(path, workspace)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: `Cannot read ${path}: it was replaced by a symbolic link after it was checked.`,
    });
  });

  test('a file below a directory that became a link is not read', async () => {
    await using kernel = await filesystemKernel({files: {'sub/a.txt': 'a\n'}});
    const outside = await mkdtemp(join(tmpdir(), 'gemini-outside-'));
    try {
      await writeFile(join(outside, 'a.txt'), 'secret\n');
      const workspace = await kernel.service('workspace');
      const path = await workspace.resolve('sub/a.txt');
      await rename(join(kernel.project, 'sub'), join(kernel.project, 'moved'));
      await symlink(outside, join(kernel.project, 'sub'));
      await expect(openFile(path, workspace)).rejects.toMatchObject({code: 'PATH_CHANGED'});
      await expect(openFolder(join(kernel.project, 'sub'), {workspace})).rejects.toMatchObject({
        code: 'FOLDER_IS_FILE',
      });
    } finally {
      await rm(outside, {recursive: true});
    }
  });

  test('directories are not made below a link that appeared', async () => {
    await using kernel = await filesystemKernel({files: {'sub/a.txt': 'a\n'}});
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'gemini-outside-')));
    try {
      await mkdir(join(outside, 'deep'));
      const workspace = await kernel.service('workspace');
      const path = await workspace.resolve('sub/deep/new');
      await rename(join(kernel.project, 'sub'), join(kernel.project, 'moved'));
      await symlink(outside, join(kernel.project, 'sub'));
      await expect(openFolder(path, {workspace, create: true})).rejects.toMatchObject({code: 'PATH_CHANGED'});
      expect(await readdir(join(outside, 'deep'))).toEqual([]);
    } finally {
      await rm(outside, {recursive: true});
    }
  });
});

describe('a write goes into the directory that was opened', () => {
  /** Opens `sub`, swaps it for a link to `elsewhere`, writes, and says where the file is. */
  async function writeThroughSwap(handles: string): Promise<unknown> {
    await using kernel = await filesystemKernel({files: {'sub/keep': '', 'elsewhere/keep': ''}});
    const folder = await openFolder(join(kernel.project, 'sub'), {
      workspace: await kernel.service('workspace'),
      handles,
    });
    await rename(join(kernel.project, 'sub'), join(kernel.project, 'moved'));
    await symlink(join(kernel.project, 'elsewhere'), join(kernel.project, 'sub'));
    await writeAtomically({
      folder,
      name: 'a.txt',
      path: 'a.txt',
      pieces: [Buffer.from('new\n')],
      previous: undefined,
      signal,
    });
    await folder.close();
    return {
      moved: await readdir(join(kernel.project, 'moved')),
      elsewhere: await readdir(join(kernel.project, 'elsewhere')),
    };
  }

  const throughHandles = {moved: ['a.txt', 'keep'], elsewhere: ['keep']};
  const byPath = {moved: ['keep'], elsewhere: ['a.txt', 'keep']};

  test('even when its path leads elsewhere since, where the system shows handles as paths', async () => {
    expect(await writeThroughSwap('/proc/self/fd')).toEqual(process.platform === 'linux' ? throughHandles : byPath);
  });

  test('by its path where the system does not', async () => {
    expect(await writeThroughSwap('/no/such/place')).toEqual(byPath);
  });
});

describe('a file that changes while it is written', () => {
  async function writeWhile(before: string | undefined, meanwhile: (path: string) => Promise<void>): Promise<unknown> {
    await using kernel = await filesystemKernel({files: before === undefined ? {} : {'a.txt': before}});
    const workspace = await kernel.service('workspace');
    const path = join(kernel.project, 'a.txt');
    const folder = await openFolder(kernel.project, {workspace});
    const opened = before === undefined ? undefined : await openFile(path, workspace);
    await opened?.handle.close();
    await meanwhile(path);
    const error = await writeAtomically({
      folder,
      name: 'a.txt',
      path: 'a.txt',
      pieces: [Buffer.from('mine\n')],
      previous: opened?.stat,
      signal,
    }).catch((caught: {code: string; message: string}) => caught);
    await folder.close();
    const {code, message} = error as {code: string; message: string};
    const names = await readdir(kernel.project);
    return {code, message, names, content: names.includes('a.txt') ? await readFile(path, 'utf8') : undefined};
  }

  test.each([
    ['changed', 'old\n', (path: string) => writeFile(path, 'theirs\n'), ['a.txt'], 'theirs\n'],
    ['disappeared', 'old\n', (path: string) => rm(path), [], undefined],
    ['appeared', undefined, (path: string) => writeFile(path, 'theirs\n'), ['a.txt'], 'theirs\n'],
  ] as const)('keeps what others did: it %s', async (event, before, meanwhile, names, content) => {
    expect(await writeWhile(before, meanwhile)).toEqual({
      code: 'FILE_CHANGED',
      message: `a.txt ${event} while it was being written.`,
      names,
      content,
    });
  });

  test('is left alone when the call is given up, and no temporary file stays', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    const folder = await openFolder(kernel.project, {workspace: await kernel.service('workspace')});
    const reason = new Error('enough');
    await expect(
      writeAtomically({
        folder,
        name: 'b.txt',
        path: 'b.txt',
        pieces: [Buffer.from('x')],
        previous: undefined,
        signal: AbortSignal.abort(reason),
      }),
    ).rejects.toBe(reason);
    await folder.close();
    expect(await readdir(kernel.project)).toEqual(['a.txt']);
  });

  test(
    'what a killed write left in the folder makes room for the next one; what may still be written stays ' +
      '[files.swept]',
    async () => {
      const name = (machine: string, pid: number): string => `.gemini-write.${machine}-${pid}-01234567.tmp`;
      const [left, mine] = [name(machineMark(), 999_999_999), name(machineMark(), process.ppid)];
      const [old, elsewhere] = [name('0badf00d', 1), name('0badf00d', 2)];
      await using kernel = await filesystemKernel({
        files: {[left]: 'left', [mine]: 'new', [old]: 'old', [elsewhere]: 'new', '.gemini-write.tmp': 'of the person'},
      });
      const long = new Date(Date.now() - 2 * 3_600_000);
      await utimes(join(kernel.project, old), long, long);
      await kernel.call('write_file', {file_path: 'a.txt', content: 'x'});
      expect((await readdir(kernel.project)).sort()).toEqual([elsewhere, mine, '.gemini-write.tmp', 'a.txt'].sort());
    },
  );
});
