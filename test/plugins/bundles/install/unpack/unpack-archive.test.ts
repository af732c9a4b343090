import {mkdir, readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../../helpers/make-plugin.js';
import {packTar, type TarEntry} from '../../../../helpers/registry.js';

interface Options {
  readonly signal?: AbortSignal;
  readonly limits?: {readonly bytes: number; readonly entries: number};
}

type Unpack = (
  archive: Uint8Array,
  folder: string,
  options?: Options,
) => Promise<{readonly files: number; readonly bytes: number}>;

async function load(): Promise<Unpack> {
  return (await import('#plugins/bundles/dist/install/unpack/unpack-archive.js')).unpackArchive;
}

const good: TarEntry = {path: 'package/package.json', content: '{}'};

test('files come out without the folder they were packed in, as 0644 or 0755', async () => {
  await using folder = await makeFolder();
  const unpackArchive = await load();
  const long = `package/${'deep/'.repeat(15)}end.js`;
  const archive = packTar([
    {path: 'package/', type: '5'},
    good,
    {path: 'package/bin/run.js', content: 'run', mode: 0o4777},
    {path: long, content: 'end'},
  ]);
  expect(await unpackArchive(archive, join(folder.path, 'out'))).toEqual({files: 3, bytes: 8});
  const modes = await Promise.all(
    ['package.json', 'bin/run.js'].map(async (name) => (await stat(join(folder.path, 'out', name))).mode & 0o7777),
  );
  expect(process.platform === 'win32' ? [] : modes).toEqual(process.platform === 'win32' ? [] : [0o644, 0o755]);
  expect(await readFile(join(folder.path, 'out', long.slice('package/'.length)), 'utf8')).toBe('end');
});

test.each<[string, readonly TarEntry[], string]>([
  [
    'a symbolic link',
    [good, {path: 'package/link', type: '2', link: '/etc/passwd'}],
    '"package/link" is not a file (SymbolicLink)',
  ],
  [
    'a hard link',
    [good, {path: 'package/hard', type: '1', link: 'package/package.json'}],
    '"package/hard" is not a file (Link)',
  ],
  ['a device', [good, {path: 'package/tty', type: '3'}], '"package/tty" is not a file (CharacterDevice)'],
  ['a pipe', [good, {path: 'package/pipe', type: '6'}], '"package/pipe" is not a file (FIFO)'],
  [
    'a path that leads out',
    [good, {path: 'package/../../evil', content: 'x'}],
    '"package/../../evil" leads outside the archive',
  ],
  [
    'a path that leads out and back',
    [good, {path: 'package/a/../b', content: 'x'}],
    '"package/a/../b" leads outside the archive',
  ],
  ['an absolute path', [good, {path: '/tmp/evil', content: 'x'}], '"/tmp/evil" is an absolute path'],
  [
    'a path of another system',
    [good, {path: 'package/..\\..\\evil', content: 'x'}],
    'has an invisible character in its name, or one that some systems do not allow',
  ],
  [
    'a drive',
    [good, {path: 'package/C:/evil', content: 'x'}],
    'has an invisible character in its name, or one that some systems do not allow',
  ],
  ['a device of Windows', [good, {path: 'package/aux.js', content: 'x'}], '"package/aux.js" has the name of a device'],
  [
    'a name that ends with a dot',
    [good, {path: 'package/a./b', content: 'x'}],
    'has a name that ends with a dot or a space',
  ],
  [
    'an invisible character',
    [good, {path: 'package/a\u202egpj.js', content: 'x'}],
    'has an invisible character in its name, or one that some systems do not allow',
  ],
  ['a name twice', [good, good], '"package/package.json" is there twice'],
  [
    'names that differ in case',
    [good, {path: 'package/Package.json', content: 'x'}],
    '"package/Package.json" is there twice, or under a name that some systems treat as the same',
  ],
  [
    'folders that differ in case',
    [
      {path: 'package/lib/a', content: 'x'},
      {path: 'package/Lib/b', content: 'x'},
    ],
    'is in a folder whose name some systems treat as that of another',
  ],
  [
    'a file in the place of a folder',
    [
      {path: 'package/lib/a', content: 'x'},
      {path: 'package/lib', content: 'x'},
    ],
    '"package/lib" is there twice',
  ],
  [
    'a folder in the place of a file',
    [
      {path: 'package/lib', content: 'x'},
      {path: 'package/lib/a', content: 'x'},
    ],
    '"package/lib/a" is there twice',
  ],
  [
    'a file beside the folder',
    [{path: 'package.json', content: '{}'}],
    '"package.json" is outside the top folder of the package',
  ],
  ['nothing', [], 'The archive cannot be unpacked'],
  [
    'a file that is larger than all may be',
    [good, {path: 'package/big', content: 'x'.repeat(2000)}],
    'makes it larger than 1000 bytes',
  ],
])('%s is refused, and the entry is named', async (_, entries, reason) => {
  await using folder = await makeFolder();
  const unpackArchive = await load();
  await mkdir(join(folder.path, 'outside'));
  const failed = unpackArchive(packTar(entries), join(folder.path, 'outside', 'out'), {
    limits: {bytes: 1000, entries: 100},
  });
  await expect(failed).rejects.toMatchObject({code: 'ARCHIVE_REFUSED', message: expect.stringContaining(reason)});
  expect(await readdir(join(folder.path, 'outside'))).toEqual(['out']);
});

test.each<[string, (archive: Buffer) => Buffer]>([
  ['cut off', (archive) => archive.subarray(0, archive.length / 2)],
  ['not packed at all', () => Buffer.from('<html>')],
  [
    'damaged in its middle',
    (archive) => Buffer.concat([archive.subarray(0, 20), Buffer.from('damage'), archive.subarray(26)]),
  ],
  ['cut off before it was packed', (archive) => gzipSync(gunzipSync(archive).subarray(0, 700))],
])('an archive that is %s is refused', async (_, damage) => {
  await using folder = await makeFolder();
  const unpackArchive = await load();
  const archive = packTar([
    good,
    {path: 'package/code.js', content: 'x'.repeat(5000) + String(process.hrtime.bigint())},
  ]);
  await expect(unpackArchive(damage(archive), join(folder.path, 'out'))).rejects.toMatchObject({
    code: 'ARCHIVE_REFUSED',
  });
});

test('what a small archive would swell to is stopped before it is written', async () => {
  await using folder = await makeFolder();
  const unpackArchive = await load();
  const bomb = packTar([good, {path: 'package/zeros', content: Buffer.alloc(30_000_000)}]);
  expect(bomb.length).toBeLessThan(300_000);
  await expect(
    unpackArchive(bomb, join(folder.path, 'out'), {limits: {bytes: 20_000_000, entries: 100}}),
  ).rejects.toMatchObject({code: 'ARCHIVE_REFUSED'});
  expect(await readdir(join(folder.path, 'out'))).toEqual(['package.json']);
});

test('unpacking ends when it is called off', async () => {
  await using folder = await makeFolder();
  const unpackArchive = await load();
  const reason = new Error('called off');
  await expect(
    unpackArchive(packTar([good]), join(folder.path, 'out'), {signal: AbortSignal.abort(reason)}),
  ).rejects.toBe(reason);
});
