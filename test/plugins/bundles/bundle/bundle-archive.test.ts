import {execFileSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {writeTar, readTar} from '#plugins/bundles/dist/bundle/bundle-tar.js';
import {gzipStored} from '#plugins/bundles/dist/bundle/gzip-stored.js';

interface TarFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const files: readonly TarFile[] = [
  {path: 'policies/net.toml', bytes: Buffer.from('[[rule]]\n')},
  {path: 'bundle.lock.json', bytes: Buffer.from('{}\n')},
  {path: `archives/sha512-${'x'.repeat(86)}.tgz`, bytes: Buffer.alloc(200_000, 7)},
  {path: 'empty.toml', bytes: Buffer.alloc(0)},
];
const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));

test('what is written is read back, sorted by name, and the order it came in leaves no trace', () => {
  expect(readTar(writeTar(files))).toEqual(sorted);
  expect(writeTar([...files].reverse()).equals(writeTar(files))).toBe(true);
});

test.each([0, 1, 65_535, 65_536, 200_000])('%i bytes that are stored as gzip come out of zlib as they were', (size) => {
  const bytes = Buffer.from(Array.from({length: size}, (_, index) => (index * 7) & 255));
  expect(gunzipSync(gzipStored(bytes)).equals(bytes)).toBe(true);
});

test("the system's own tar reads an archive", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'x.gemini-bundle'), gzipStored(writeTar(files)));
  const listed = execFileSync('tar', ['-tzf', 'x.gemini-bundle'], {cwd: folder.path, encoding: 'utf8'});
  expect(listed.trim().split('\n')).toEqual(sorted.map(({path}) => path));
});

/** Bytes of an archive with one entry whose header was changed, with a new checksum. */
function forge(change: (header: Buffer) => void): Buffer {
  const tar = Buffer.from(writeTar([{path: 'bundle.lock.json', bytes: Buffer.from('{}')}]));
  const header = tar.subarray(0, 512);
  change(header);
  header.write('        ', 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return tar;
}

test.each([
  ['a link', forge((header) => header.write('2', 156)), /was not written by gemini bundle export/],
  ['a folder', forge((header) => header.write('5', 156)), /was not written by gemini bundle export/],
  ['another owner', forge((header) => header.write('0001750', 108)), /was not written by gemini bundle export/],
  ['a time', forge((header) => header.write('14000000000', 136)), /was not written by gemini bundle export/],
  [
    'an entry that claims more bytes than there are',
    forge((header) => header.write('00000777777', 124)),
    /is truncated/,
  ],
  ['a path that leads out', writeTar([{path: '../evil.toml', bytes: Buffer.from('x')}]), /points outside the archive/],
  ['an absolute path', writeTar([{path: '/etc/evil.toml', bytes: Buffer.from('x')}]), /points outside the archive/],
  [
    'a name twice',
    writeTar([
      {path: 'a', bytes: Buffer.from('1')},
      {path: 'a', bytes: Buffer.from('2')},
    ]),
    /is a duplicate/,
  ],
  [
    'something behind its end',
    Buffer.concat([writeTar(files), Buffer.alloc(512)]),
    /has no end marker, or data after it/,
  ],
  ['no end', writeTar(files).subarray(0, -512), /has no end marker, or data after it/],
])('an archive with %s is refused', (_, bytes, message) => expect(() => readTar(bytes)).toThrow(message));
