import {execFile, spawnSync} from 'node:child_process';
import {chmod, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {built, filesystemKernel, outcome} from './built.js';

const run = promisify(execFile);
const {diskError} = await built<typeof import('../../../plugins/filesystem/src/disk-error.js')>('disk-error');

describe('write_file', () => {
  test('creates a file and the directories above it', async () => {
    await using kernel = await filesystemKernel();
    expect(await outcome(kernel, 'write_file', {file_path: 'a/b/c.txt', content: 'one\ntwo'})).toEqual({
      model: 'Created the new file <project>/a/b/c.txt (2 lines).',
      display: 'created, +2',
      data: {path: '<project>/a/b/c.txt', created: true, bytes: 7, linesAdded: 2, linesRemoved: 0},
    });
    expect([
      await readFile(join(kernel.project, 'a/b/c.txt'), 'utf8'),
      await readdir(join(kernel.project, 'a/b')),
    ]).toEqual(['one\ntwo', ['c.txt']]);
  });

  test('shows the changed lines with those around them', async () => {
    await using kernel = await filesystemKernel({
      files: {'a.txt': Array.from({length: 20}, (_, index) => `${index + 1}\n`).join('')},
    });
    const content = Array.from({length: 20}, (_, index) => (index === 9 ? 'ten\n' : `${index + 1}\n`)).join('');
    expect(await outcome(kernel, 'write_file', {file_path: 'a.txt', content})).toEqual({
      model:
        'Overwrote the file <project>/a.txt (1 lines added, 1 removed). Here is the updated ' +
        'code:\n5\n6\n7\n8\n9\nten\n11\n12\n13\n14\n15',
      display: '+1 -1',
      data: {
        path: '<project>/a.txt',
        created: false,
        bytes: Buffer.byteLength(content),
        linesAdded: 1,
        linesRemoved: 1,
      },
    });
  });

  test.each([
    '// rest of code ...',
    '  (rest of methods ...)',
    'unchanged code....',
    '// (unchanged methods...)',
    'Rest of ...',
  ])('refuses content with the line %j', async (line) => {
    await using kernel = await filesystemKernel();
    expect(await outcome(kernel, 'write_file', {file_path: 'a.ts', content: `a();\n${line}\nb();\n`})).toEqual({
      code: 'TEXT_ABBREVIATED',
      message: `The content for <project>/a.ts has the line "${line.trim()}" in place of the code itself.`,
      hint: 'Pass the complete content, or use replace to change a part of the file.',
    });
  });

  test.each(['// ... existing code ...', 'the rest of code ... is history', '// rest of code'])(
    'takes content with the line %j',
    async (line) => {
      await using kernel = await filesystemKernel();
      expect(await outcome(kernel, 'write_file', {file_path: 'a.ts', content: `${line}\n`})).toMatchObject({
        display: 'created, +1',
      });
    },
  );

  test.each([
    [
      'a directory',
      {file_path: 'src', content: ''},
      {
        code: 'FILE_IS_DIRECTORY',
        message: '<project>/src is a directory.',
        hint: 'Use list_directory to see what is in it.',
      },
    ],
    [
      'a file without write permission',
      {file_path: 'fixed.txt', content: 'x'},
      {
        code: 'FILE_READ_ONLY',
        message: '<project>/fixed.txt is read-only: it has no write permission for any user.',
        hint: 'Do not change it, or ask the user whether to make it writable.',
      },
    ],
    [
      'a path through a file',
      {file_path: 'a.txt/b', content: 'x'},
      expect.objectContaining({code: 'PATH_UNRESOLVABLE'}),
    ],
    [
      'a path outside the workspace',
      {file_path: '/etc/x', content: 'x'},
      expect.objectContaining({code: 'PATH_OUTSIDE_WORKSPACE'}),
    ],
    ['no content', {file_path: 'a.txt'}, expect.objectContaining({code: 'TOOL_INPUT_INVALID'})],
  ])('refuses %s', async (_, input, expected) => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'a\n', 'src/b.txt': '', 'fixed.txt': 'f\n'}});
    await chmod(join(kernel.project, 'fixed.txt'), 0o444);
    expect(await outcome(kernel, 'write_file', input)).toEqual(expected);
    expect(await readFile(join(kernel.project, 'fixed.txt'), 'utf8')).toBe('f\n');
  });

  test('changes nothing while it previews, and nothing when the person says no', async () => {
    await using kernel = await filesystemKernel({confirm: 'no', files: {'a.txt': 'a\n'}});
    const before = await stat(join(kernel.project, 'a.txt'), {bigint: true});
    await kernel.call('write_file', {file_path: 'a.txt', content: 'b\n'});
    await kernel.call('write_file', {file_path: 'new/b.txt', content: 'b\n'});
    const after = await stat(join(kernel.project, 'a.txt'), {bigint: true});
    expect([after.ino, after.ctimeNs, await readdir(kernel.project)]).toEqual([before.ino, before.ctimeNs, ['a.txt']]);
  });
});

describe('a file that changed since this session read it', () => {
  const write = {file_path: 'a.txt', content: 'mine\n'};
  const changed = {
    code: 'FILE_CHANGED',
    message: '<project>/a.txt has changed since it was last read in this session.',
    hint: 'Nothing was written. Read the file again, then make the change on its current content.',
  };

  test.each([
    ['after a whole read', {}],
    ['after a read by range', {end_line: 1}],
  ])('is not overwritten %s, until it is read again', async (_, range) => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    const path = join(kernel.project, 'a.txt');
    await kernel.call('read_file', {file_path: 'a.txt', ...range});
    await writeFile(path, 'theirs\n');
    expect(await outcome(kernel, 'write_file', write)).toEqual(changed);
    expect(
      await outcome(kernel, 'replace', {
        file_path: 'a.txt',
        instruction: 'test',
        old_string: 'theirs',
        new_string: 'mine',
      }),
    ).toEqual(changed);
    expect(await readFile(path, 'utf8')).toBe('theirs\n');
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await outcome(kernel, 'write_file', write)).toMatchObject({display: '+1 -1'});
  });

  test('is noticed even when size and time are the same [files.changed-refused]', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    const path = join(kernel.project, 'a.txt');
    await kernel.call('read_file', {file_path: 'a.txt'});
    const {atime, mtime} = await stat(path);
    await writeFile(path, 'new\n');
    await utimes(path, atime, mtime);
    expect(await outcome(kernel, 'write_file', write)).toEqual(changed);
  });

  test('is written when only its times changed', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    await kernel.call('read_file', {file_path: 'a.txt'});
    await utimes(join(kernel.project, 'a.txt'), 1, 1);
    expect(await outcome(kernel, 'write_file', write)).toMatchObject({display: '+1 -1'});
  });

  test('is written again after our own write, and refused after theirs', async () => {
    await using kernel = await filesystemKernel();
    await kernel.call('write_file', write);
    expect(await outcome(kernel, 'write_file', {...write, content: 'mine too\n'})).toMatchObject({display: '+1 -1'});
    await writeFile(join(kernel.project, 'a.txt'), 'theirs\n');
    expect(await outcome(kernel, 'write_file', write)).toEqual(changed);
  });

  test('is noticed by its stamp when it is too large to compare its content', async () => {
    await using kernel = await filesystemKernel();
    const path = join(kernel.project, 'a.txt');
    await writeFile(path, 'x'.repeat(2 * 1024 * 1024));
    await kernel.call('read_file', {file_path: 'a.txt'});
    const replacement = join(kernel.project, 'b.txt');
    await writeFile(replacement, 'y'.repeat(2 * 1024 * 1024));
    await rename(replacement, path);
    expect(await outcome(kernel, 'write_file', write)).toEqual(changed);
  });

  test('is written when this session never read it', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    expect(await outcome(kernel, 'write_file', write)).toMatchObject({display: '+1 -1'});
  });
});

describe('a disk without room', () => {
  const script = `
    import {join} from 'node:path';
    import {readFile, readdir} from 'node:fs/promises';
    const {pluginRoots, folder} = JSON.parse(process.argv[1]);
    const {createTestKernel} = await import('@gemini-kernel/kernel/testing');
    const kernel = await createTestKernel({confirm: 'yes', plugins: pluginRoots, flags: {'context.includeDirectories': [folder]}});
    const file_path = join(folder, 'a.txt');
    const created = await kernel.call('write_file', {file_path, content: 'small'});
    const {error} = await kernel.call('write_file', {file_path, content: 'x'.repeat(1 << 20)});
    const {code, message, hint} = error ?? {};
    console.log(JSON.stringify({created: created.status, error: {code, message, hint}, content: await readFile(file_path, 'utf8'), names: await readdir(folder)}));
    await kernel.close();`;

  // Both are real limits of the system: mounting needs a permission, a file size limit needs none.
  const canMount = spawnSync('unshare', ['-m', 'true']).status === 0;
  const limits: readonly (readonly [string, string, string])[] = [
    [
      'a file size limit',
      'the file size limit of the system is reached',
      'trap "" XFSZ; ulimit -f 256; exec "$0" "$@"',
    ],
    ...(canMount
      ? ([
          [
            'a small tmpfs',
            'the disk is full',
            'exec unshare -m sh -c \'mount -t tmpfs -o size=64k none "$FOLDER" && exec "$0" "$@"\' "$0" "$@"',
          ],
        ] as const)
      : []),
  ];

  test.each(limits)(
    'leaves the file as it was and no temporary file behind: %s [files.atomic]',
    async (_, reason, shell) => {
      const folder = await mkdtemp(join(tmpdir(), 'gemini-disk-'));
      try {
        const parts = {
          folder,
          pluginRoots: ['settings', 'workspace', 'filesystem'].map((name) => join(checkout, 'plugins', name)),
        };
        const {stdout} = await run(
          'sh',
          ['-c', shell, process.execPath, '--input-type=module', '-e', script, JSON.stringify(parts)],
          {cwd: checkout, env: {...process.env, FOLDER: folder, NODE_OPTIONS: ''}},
        );
        expect(JSON.parse(stdout)).toEqual({
          created: 'done',
          error: {
            code: 'DISK_FULL',
            message: `Cannot write ${folder}/a.txt: it does not fit: ${reason}.`,
            hint: 'Nothing was changed. Ask the user to free some space, then try again.',
          },
          content: 'small',
          names: ['a.txt'],
        });
      } finally {
        await rm(folder, {recursive: true, force: true});
      }
    },
  );
});

describe('what the system refuses', () => {
  const systemError = (code: string): Error =>
    Object.assign(new Error(`${code}: as the system says it`), {code, errno: -1, syscall: 'open'});

  test.each([
    ['ENOSPC', 'write', 'DISK_FULL', 'Cannot write /a: it does not fit: the disk is full.'],
    ['EDQUOT', 'write', 'DISK_FULL', 'Cannot write /a: it does not fit: the disk quota is used up.'],
    ['EFBIG', 'write', 'DISK_FULL', 'Cannot write /a: it does not fit: the file size limit of the system is reached.'],
    ['EROFS', 'write', 'DISK_READ_ONLY', 'Cannot write /a: it is on a read-only file system.'],
    ['EACCES', 'write', 'FILE_UNWRITABLE', 'Cannot write /a: permission denied.'],
    ['EPERM', 'read', 'FILE_UNREADABLE', 'Cannot read /a: permission denied.'],
    ['EACCES', 'list', 'FOLDER_UNREADABLE', 'Cannot list /a: permission denied.'],
    ['EIO', 'read', 'FILE_UNREADABLE', 'Cannot read /a: EIO: as the system says it.'],
    ['EISDIR', 'write', 'FILE_IS_DIRECTORY', 'Cannot write /a: it is a directory.'],
    ['ENOENT', 'list', 'FOLDER_MISSING', 'Cannot list /a: it does not exist.'],
    [
      'ENOTDIR',
      'list',
      'FOLDER_IS_FILE',
      'Cannot list /a: it is a file, or has a file in its path, where a directory is needed.',
    ],
    ['ELOOP', 'read', 'FILE_CHANGED', 'Cannot read /a: it was replaced by a symbolic link after it was checked.'],
  ] as const)('%s on %s becomes %s', (errno, act, code, message) => {
    const cause = systemError(errno);
    expect(diskError(cause, '/a', act)).toMatchObject({code, message, cause, hint: expect.stringMatching(/\.$/)});
  });

  test('anything else stays what it is', () => {
    const bug = new TypeError('a bug');
    expect(diskError(bug, '/a', 'read')).toBe(bug);
  });
});
