import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from '@jest/globals';
import {isAlive, until} from './open-shell.js';

const program = fileURLToPath(new URL('dying-program.js', import.meta.url));

/** The ids of the processes that a command wrote, once there are two. */
async function readPids(project: string): Promise<readonly number[]> {
  const read = async (): Promise<readonly number[]> =>
    (await readFile(join(project, 'pids'), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  await until(async () => (await read()).length === 2);
  return read();
}

test.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'])(
  'no command outlives the program when %s ends it',
  async (signal) => {
    const child = spawn(process.execPath, [program], {stdio: ['ignore', 'pipe', 'inherit']});
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const project = line.toString().trim();
    const pids = await readPids(project);
    expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
    child.kill(signal);
    for (const pid of pids) await until(async () => !(await isAlive(pid)));
    await rm(dirname(project), {recursive: true, force: true});
  },
);

test('what a command left running neither holds the program nor outlives it', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('leaving-program.js', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  const [project = '', pid] = text.split('\n');
  expect(Number(pid)).toBeGreaterThan(1);
  await until(async () => !(await isAlive(Number(pid))));
  await rm(dirname(project), {recursive: true, force: true});
});

test('a hundred megabytes of output take no more than 64 MiB of memory', async () => {
  const flood = fileURLToPath(new URL('../../bench/shell-flood.js', import.meta.url));
  const peak = async (bytes: number): Promise<number> => {
    const hook = fileURLToPath(new URL('../../../bench/report-rss.cjs', import.meta.url));
    const child = spawn(process.execPath, ['--require', hook, flood, String(bytes)], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    let text = '';
    child.stdio[3]?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
    return Number(text);
  };
  expect(((await peak(100_000_000)) - (await peak(1))) / 1024).toBeLessThan(64);
});
