import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {appendPrivateFile, createPrivateFile, openToAppend} from '@gemini-kernel/files';
import {sweepFolder, writeAtomically} from '@gemini-kernel/files/writing';
import {makeFolder} from '../../helpers/make-plugin.js';
import {makeOddFile} from '../../helpers/odd-files.js';
import {checkout} from '../../helpers/plugin-root.js';

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

const makeAll = `
  const {appendPrivateFile, appendPrivateFileSync, createPrivateFile, makePrivateFolder, makePrivateFolderSync} = await import('@gemini-kernel/files');
  const {writeAtomically} = await import('@gemini-kernel/files/writing');
  const [root] = process.argv.slice(1);
  await makePrivateFolder(root + '/a/b');
  makePrivateFolderSync(root + '/c/d');
  await createPrivateFile(root + '/a/1', 'x');
  await appendPrivateFile(root + '/a/2', 'x');
  appendPrivateFileSync(root + '/a/3', 'x');
  await writeAtomically(root + '/a/4', 'x');
`;

test.each(['000', '022', '077'])(
  'folders are 0700 and files 0600 under the umask %s [files.private]',
  async (umask) => {
    await using folder = await makeFolder();
    execFileSync(
      'sh',
      ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', makeAll, folder.path],
      {cwd: checkout},
    );
    const modes = ['a', 'a/b', 'c', 'c/d', 'a/1', 'a/2', 'a/3', 'a/4'].map((name) => modeOf(join(folder.path, name)));
    expect(modes).toEqual(['700', '700', '700', '700', '600', '600', '600', '600']);
  },
);

test('a new file takes no place that something has, and an addition keeps the mode that is there', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a');
  await createPrivateFile(path, 'one\n');
  await expect(createPrivateFile(path, 'two\n')).rejects.toMatchObject({code: 'EEXIST'});
  chmodSync(path, 0o644);
  await appendPrivateFile(path, 'two\n');
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['one\ntwo\n', '644']);
});

test.each(['FIFO', 'endless device', 'directory', 'loop link', 'socket'] as const)(
  'nothing is added to a %s, without a wait',
  async (kind) => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'a');
    const close = await makeOddFile(path, kind);
    await expect(openToAppend(path)).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENXIO|ENOTFILE|EISDIR|ELOOP)$/),
    });
    await close();
  },
);

test('a file is replaced whole, with the owner and the mode it had, and nothing is left beside it', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a');
  await writeAtomically(path, 'one');
  chmodSync(path, 0o640);
  await writeAtomically(path, 'two', {like: statSync(path)});
  expect([readFileSync(path, 'utf8'), modeOf(path), readdirSync(folder.path)]).toEqual(['two', '640', ['a']]);
  await expect(writeAtomically(join(folder.path, 'none', 'a'), 'x')).rejects.toMatchObject({code: 'ENOENT'});
});

const stopBeforeRename = `
  const fs = await import('node:fs');
  fs.default.promises.rename = () => process.kill(process.pid, 'SIGKILL');
  (await import('node:module')).syncBuiltinESMExports();
  const {writeAtomically} = await import('@gemini-kernel/files/writing');
  await writeAtomically(process.argv[1], 'half');
`;

test('what a killed writer left is removed by the next one, and by a sweep of its folder [files.swept]', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a');
  const kill = async (): Promise<readonly string[]> => {
    await once(
      spawn(process.execPath, ['--input-type=module', '-e', stopBeforeRename, path], {cwd: checkout}),
      'close',
    );
    return readdirSync(folder.path);
  };
  expect(await kill()).toEqual([expect.stringMatching(/^a\.[0-9a-f]{8}-\d+-[0-9a-f]{8}\.tmp$/)]);
  await writeAtomically(path, 'whole');
  expect([readdirSync(folder.path), readFileSync(path, 'utf8')]).toEqual([['a'], 'whole']);
  await kill();
  writeFileSync(join(folder.path, 'mine.tmp'), '');
  await sweepFolder(folder.path);
  expect(readdirSync(folder.path)).toEqual(['a', 'mine.tmp']);
  await sweepFolder(join(folder.path, 'none'));
});
