import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {expect, test} from '@jest/globals';
import {isHeld, ownerOfLock, sweepLock, takeLock, type HeldLock} from '@gemini-kernel/files/writing';
import {makeFolder} from '../../helpers/make-plugin.js';
import {makeOddFile} from '../../helpers/odd-files.js';
import {checkout} from '../../helpers/plugin-root.js';

/** A process that lives until it is ended. */
function makeProcess(): {readonly pid: number; kill(): Promise<void>} {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  return {pid: child.pid ?? 0, kill: () => end(child)};
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

const record = (pid: number, more: object = {}): string =>
  JSON.stringify({pid, host: hostname(), since: new Date().toISOString(), ...more});
const take = async (path: string): Promise<HeldLock> => {
  const taken = await takeLock(path);
  if (!isHeld(taken)) throw new Error(`${path} is held by ${taken.pid}`);
  return taken;
};

test('one process has a lock, which says which, and nothing is left afterwards [files.lock]', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const held = await take(path);
  expect(await takeLock(path)).toMatchObject({pid: process.pid, host: hostname()});
  expect([readdirSync(folder.path), await ownerOfLock(path)]).toMatchObject([['a.lock'], {pid: process.pid}]);
  await held.release();
  expect([readdirSync(folder.path), await ownerOfLock(path)]).toEqual([[], undefined]);
});

test('another process is waited for, which is said once; patience ends with its name', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const other = makeProcess();
  writeFileSync(path, record(other.pid));
  expect(await takeLock(path, {patienceMs: 60})).toMatchObject({pid: other.pid});
  const told: number[] = [];
  const taken = await takeLock(path, {
    patienceMs: 20_000,
    onWait: ({pid}) => {
      told.push(pid);
      void other.kill();
    },
  });
  expect([isHeld(taken), told]).toEqual([true, [other.pid]]);
});

test('a wait ends with the reason of its signal, and leaves nothing', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const held = await take(path);
  const stop = new AbortController();
  await expect(
    takeLock(path, {signal: stop.signal, patienceMs: 20_000, onWait: () => stop.abort(new Error('enough'))}),
  ).rejects.toThrow('enough');
  await held.release();
  expect(readdirSync(folder.path)).toEqual([]);
});

test.each<[string, () => string]>([
  ['of a process that is gone', () => record(999_999_999)],
  [
    'of a process that another start of the machine had',
    () => record(process.ppid, {boot: process.platform === 'linux' ? '0-0' : undefined, began: '1'}),
  ],
  ['whose number another process has now', () => record(process.ppid, {began: '1'})],
  ['that a full disk left empty', () => ''],
  ['that says something else', () => 'hello'],
  ['of no process', () => record(-1)],
])('a lock %s counts for nothing [files.lock]', async (_, text) => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  writeFileSync(path, text());
  const old = new Date(Date.now() - 60_000);
  utimesSync(path, old, old);
  expect(await ownerOfLock(path)).toBeUndefined();
  const held = await take(path);
  expect(await ownerOfLock(path)).toMatchObject({pid: process.pid});
  await held.release();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a lock dated before the start of the machine is held while its process lives [files.lock]', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const held = await take(path);
  const own = JSON.parse(readFileSync(path, 'utf8')) as object;
  await held.release();
  writeFileSync(path, JSON.stringify({...own, since: '1970-01-01T00:00:00.000Z'}));
  expect(await takeLock(path)).toMatchObject({pid: process.pid, since: '1970-01-01T00:00:00.000Z'});
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a process that has ended holds no lock, although its parent has not asked how it ended [files.lock]',
  async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'a.lock');
    // The shell becomes a program that knows of no children.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {stdio: ['ignore', 'pipe', 'inherit']});
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    const stateOf = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    while (stateOf() !== 'Z') await setTimeout(10);
    writeFileSync(path, record(pid));
    expect(await ownerOfLock(path)).toBeUndefined();
    await (await take(path)).release();
    expect(stateOf()).toBe('Z');
    await end(parent);
  },
);

test('a process of another machine holds its lock, until it has been silent for several beats', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const old = new Date(Date.now() - 60_000);
  writeFileSync(path, record(1, {host: 'elsewhere'}));
  utimesSync(path, old, old);
  expect(await ownerOfLock(path)).toMatchObject({pid: 1, host: 'elsewhere'});
  writeFileSync(path, record(1, {host: 'elsewhere', beatMs: 2000}));
  expect(await ownerOfLock(path)).toMatchObject({beatMs: 2000});
  utimesSync(path, old, old);
  expect(await ownerOfLock(path)).toBeUndefined();
});

test.each(['FIFO', 'directory', 'endless device', 'dangling link', 'loop link', 'socket'] as const)(
  'a %s as a lock is an error that names it, at once [files.lock]',
  async (kind) => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'a.lock');
    const close = await makeOddFile(path, kind);
    await expect(takeLock(path, {patienceMs: 20_000})).rejects.toMatchObject({
      name: 'FileFault',
      message: expect.stringContaining(`${path} is a `),
    });
    await expect(ownerOfLock(path)).rejects.toMatchObject({
      reason: expect.stringMatching(/^it is a (FIFO|directory|socket|link), not a lock$/),
    });
    await close();
  },
);

test('what killed processes left beside a lock is removed with the next one', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'a.lock');
  const child = spawn(process.execPath, ['--input-type=module', '-e', takeAndStop, path], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await end(child);
  expect(readdirSync(folder.path)).toHaveLength(1);
  writeFileSync(`${path}.break-0123456789abcdef`, record(999_999_999));
  mkdirSync(join(folder.path, 'a.lock.kept'));
  await sweepLock(path);
  expect(readdirSync(folder.path)).toEqual(['a.lock.kept']);
  symlinkSync('nowhere', path);
  await expect(sweepLock(path)).rejects.toMatchObject({code: 'ENOTFILE'});
});

const takeAndStop = `
  const {takeLock} = await import('@gemini-kernel/files/writing');
  await takeLock(process.argv[1]);
  console.log('taken');
  setInterval(() => undefined, 1000);
`;

// Each writes down when it is inside and when it leaves, again and again; some end with the lock in their hand.
const goInAndOut = `
  import {appendFileSync} from 'node:fs';
  const {takeLock} = await import('@gemini-kernel/files/writing');
  const [path, log, times] = process.argv.slice(1);
  for (let done = 0; done < Number(times); done += 1) {
    const held = await takeLock(path, {patienceMs: 60_000});
    const who = process.pid + '.' + done;
    appendFileSync(log, 'in ' + who + '\\n');
    if (Math.random() < 0.1) process.kill(process.pid, 'SIGKILL');
    await new Promise(setImmediate);
    appendFileSync(log, 'out ' + who + '\\n');
    await held.release();
  }
`;

test('locks that were left are taken over by one process at a time, however many try [files.lock]', async () => {
  await using folder = await makeFolder();
  const [path, log] = [join(folder.path, 'a.lock'), join(folder.path, 'log')];
  const run = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', goInAndOut, path, log, '15'], {
        cwd: checkout,
        stdio: 'inherit',
      });
      await once(child, 'close');
    }
  };
  await Promise.all(Array.from({length: 5}, run));
  const lines = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  // One that left must have been alone since it came in.
  const broken = lines.filter(([word, who], at) => word === 'out' && lines[at - 1]?.join(' ') !== `in ${who ?? ''}`);
  expect([broken, lines.length > 20]).toEqual([[], true]);
  await sweepLock(path);
  expect(readdirSync(folder.path)).toEqual(['log']);
}, 60_000);
