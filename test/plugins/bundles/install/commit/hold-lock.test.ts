import {spawn} from 'node:child_process';
import {readdir, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../../helpers/make-plugin.js';

type Hold = <T>(
  options: {
    readonly file: string;
    readonly signal: AbortSignal;
    tell(sentence: string): void;
    readonly patienceMs?: number;
  },
  act: () => Promise<T>,
) => Promise<T>;

const load = async (): Promise<Hold> => (await import('#plugins/bundles/dist/install/commit/hold-lock.js')).holdLock;
const never = new AbortController().signal;

/** A process that lives until the test ends it. */
function makeProcess(): {readonly pid: number; kill(): Promise<void>} {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  return {
    pid: child.pid ?? 0,
    kill: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

const holder = (pid: number, more: object = {}): string =>
  JSON.stringify({pid, host: hostname(), since: new Date().toISOString(), ...more});

test('one process at a time acts, and nothing is left afterwards', async () => {
  await using folder = await makeFolder();
  const holdLock = await load();
  const file = join(folder.path, 'deep', 'hold');
  const options = {file, signal: never, tell: () => undefined};
  expect(await holdLock(options, async () => readdir(join(folder.path, 'deep')))).toEqual(['hold']);
  await expect(holdLock(options, async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await readdir(join(folder.path, 'deep'))).toEqual([]);
});

test("another process is waited for, which is said once; then it is the next one's turn", async () => {
  await using folder = await makeFolder();
  const holdLock = await load();
  const file = join(folder.path, 'hold');
  const other = makeProcess();
  await writeFile(file, holder(other.pid));
  const told: string[] = [];
  const done = holdLock(
    {
      file,
      signal: never,
      tell: (sentence) => {
        told.push(sentence);
        void other.kill();
      },
    },
    async () => 'done',
  );
  expect(await done).toBe('done');
  expect(told).toEqual([`Waiting for the process ${other.pid}, which is changing the installed plugins.`]);
});

test('one that takes too long is named', async () => {
  await using folder = await makeFolder();
  const holdLock = await load();
  const file = join(folder.path, 'hold');
  const other = makeProcess();
  await writeFile(file, holder(other.pid));
  await expect(
    holdLock({file, signal: never, tell: () => undefined, patienceMs: 100}, async () => undefined),
  ).rejects.toMatchObject({code: 'INSTALL_BUSY', message: expect.stringContaining(`The process ${other.pid} on `)});
  const stop = new AbortController();
  const reason = new Error('stopped');
  await expect(
    holdLock({file, signal: stop.signal, tell: () => stop.abort(reason)}, async () => undefined),
  ).rejects.toBe(reason);
  await other.kill();
});

test.each<[string, () => string]>([
  ['is gone', () => holder(999_999_999)],
  ['was there before the machine was started', () => holder(process.ppid, {boot: 'another', began: '1'})],
  [
    'had a number that another one has now',
    () => (process.platform === 'linux' ? holder(process.ppid, {began: '1'}) : holder(999_999_999)),
  ],
  ['could not even write who it is', () => ''],
])('a process that %s counts for nothing', async (_, text) => {
  await using folder = await makeFolder();
  const holdLock = await load();
  const file = join(folder.path, 'hold');
  await writeFile(file, text());
  expect(await holdLock({file, signal: never, tell: () => undefined, patienceMs: 2000}, async () => 'done')).toBe(
    'done',
  );
});
