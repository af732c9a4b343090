import {appendFileSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {readRegular, readRegularSync} from '@gemini-kernel/files';
import {makeFolder} from '../../helpers/make-plugin.js';
import {makeOddFile, type OddFile} from '../../helpers/odd-files.js';

const readers = [
  ['readRegular', (path: string, limit?: number) => readRegular(path, limit === undefined ? {} : {limit})],
  ['readRegularSync', async (path: string, limit?: number) => readRegularSync(path, limit)],
] as const;

const outcomes: readonly (readonly [OddFile, string, string])[] = [
  ['FIFO', 'ENOTFILE', 'a is a FIFO, not a file'],
  ['endless device', 'ENOTFILE', 'a is a device, not a file'],
  ['directory', 'EISDIR', 'a is a directory, not a file'],
  ['loop link', 'ELOOP', 'too many symbolic links'],
  ['dangling link', 'ENOENT', 'a is a link that leads nowhere, not a file'],
  ['sparse gigabyte', 'EFBIG', 'a is larger than 16 MiB'],
  ['socket', 'ENOTFILE', 'a is a socket, not a file'],
];

describe.each(readers)('%s', (_, read) => {
  test.each([0, 1, 4095, 4096, 4097, 70_000])(
    'gives the %i bytes of a file, also through a link [files.bounded]',
    async (size) => {
      await using folder = await makeFolder();
      const bytes = Buffer.alloc(size, 'ab');
      writeFileSync(join(folder.path, 'a'), bytes);
      symlinkSync('a', join(folder.path, 'b'));
      expect([await read(join(folder.path, 'a')), await read(join(folder.path, 'b'))]).toEqual([bytes, bytes]);
    },
  );

  test.each(outcomes)('a %s is refused at once, with %s and its name [files.bounded]', async (kind, code, words) => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'a');
    const end = await makeOddFile(path, kind);
    await expect(read(path)).rejects.toMatchObject({code, message: expect.stringContaining(words)});
    await end();
  });

  test("a missing file, and one below a file, are the system's own errors", async () => {
    await using folder = await makeFolder();
    writeFileSync(join(folder.path, 'a'), '');
    await expect(read(join(folder.path, 'none'))).rejects.toMatchObject({code: 'ENOENT', syscall: 'stat'});
    await expect(read(join(folder.path, 'a', 'b'))).rejects.toMatchObject({code: 'ENOTDIR'});
  });

  test('a file one byte past the limit is refused, one at the limit is read [files.bounded]', async () => {
    await using folder = await makeFolder();
    writeFileSync(join(folder.path, 'a'), '12345');
    expect((await read(join(folder.path, 'a'), 5)).toString()).toBe('12345');
    await expect(read(join(folder.path, 'a'), 4)).rejects.toMatchObject({
      name: 'FileFault',
      code: 'EFBIG',
      reason: 'it is larger than 4 bytes',
    });
  });

  const onLinux = process.platform === 'linux' ? test : test.failing;
  onLinux(
    'a file that says that it is empty is read to its end, and no further than the limit [files.bounded]',
    async () => {
      expect((await read('/proc/self/status')).toString()).toContain('Pid:');
      expect((await read('/proc/sys/kernel/ostype')).toString()).toBe('Linux\n');
      await expect(read('/proc/self/status', 10)).rejects.toMatchObject({code: 'EFBIG'});
      await expect(read('/proc/kmsg', 10)).rejects.toBeDefined();
    },
  );
});

test('a file that grows faster than it is read ends at the limit', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a');
  writeFileSync(path, 'x'.repeat(1000));
  const reading = readRegular(path, {limit: 1 << 20});
  for (let count = 0; count < 40; count += 1) appendFileSync(path, 'x'.repeat(1 << 16));
  await expect(
    reading.then(
      (bytes) => bytes.length <= 1 << 20,
      (error: {code: string}) => error.code === 'EFBIG',
    ),
  ).resolves.toBe(true);
});

test('a read that takes too long, or that is stopped, ends with the reason', async () => {
  await using folder = await makeFolder();
  mkdirSync(join(folder.path, 'd'));
  const path = join(folder.path, 'd', 'a');
  writeFileSync(path, Buffer.alloc(8 << 20));
  await expect(readRegular(path, {deadlineMs: 0})).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: `${path} could not be read within 0 seconds`,
  });
  const stop = new AbortController();
  const reading = readRegular(path, {signal: stop.signal});
  stop.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  await expect(readRegular(path, {signal: stop.signal})).rejects.toThrow('enough');
});
