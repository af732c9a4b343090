import {mkdir, readdir, stat, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {machineMark} from '@gemini-kernel/files/writing';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {makeInstallScene} from '../install/scene.js';

interface Hold {
  holdLock<T>(options: object, act: () => Promise<T>): Promise<T>;
}

const load = (): Promise<Hold> => import('#plugins/bundles/dist/install/commit/hold-lock.js');
const elsewhere = JSON.stringify({
  pid: process.pid,
  host: 'another-machine',
  since: new Date().toISOString(),
  beatMs: 2000,
});
const away = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

test('a holder on another machine that has not been heard for a while is gone', async () => {
  await using folder = await makeFolder();
  const {holdLock} = await load();
  const options = {
    file: join(folder.path, 'hold'),
    signal: new AbortController().signal,
    tell: () => undefined,
    patienceMs: 200,
  };
  await writeFile(options.file, elsewhere);
  await expect(holdLock(options, async () => 'done')).rejects.toMatchObject({
    code: 'INSTALL_BUSY',
    message: expect.stringContaining('on another-machine has been changing'),
  });
  await utimes(options.file, away(16), away(16));
  expect(await holdLock(options, async () => 'done')).toBe('done');
});

test('a holder in another container of the same name is heard, not asked', async () => {
  await using folder = await makeFolder();
  const {holdLock} = await load();
  const options = {
    file: join(folder.path, 'hold'),
    signal: new AbortController().signal,
    tell: () => undefined,
    patienceMs: 200,
  };
  await writeFile(
    options.file,
    JSON.stringify({pid: 999_999_999, host: hostname(), space: 'pid:[1]', since: new Date().toISOString()}),
  );
  await expect(holdLock(options, async () => 'done')).rejects.toMatchObject({code: 'INSTALL_BUSY'});
});

test('a holder lets itself be heard for as long as it takes, and leaves alone what another one holds by then', async () => {
  await using folder = await makeFolder();
  const {holdLock} = await load();
  const file = join(folder.path, 'hold');
  await holdLock({file, signal: new AbortController().signal, tell: () => undefined}, async () => {
    await utimes(file, away(10), away(10));
    const until = Date.now() + 6000;
    while ((await stat(file)).mtimeMs < Date.now() - 5000) {
      if (Date.now() > until) throw new Error('It was not heard.');
      await new Promise(setImmediate);
    }
    await writeFile(file, elsewhere);
  });
  expect(await readdir(folder.path)).toEqual(['hold']);
});

test('what another machine prepares stays for a day, and what a process of this one left goes at once', async () => {
  await using scene = await makeInstallScene();
  const mark = machineMark();
  const names = [
    '.staging-999999999-abcdefab-new',
    '.staging-999999999-abcdefab-old',
    `.staging-999999999-${mark}-left`,
    `.staging-${process.pid}-${mark}-busy`,
    '.staging-999999999-unmarked',
  ];
  for (const name of names) await mkdir(join(scene.store, name), {recursive: true});
  await utimes(join(scene.store, names[1] ?? ''), away(25 * 3600), away(25 * 3600));
  scene.registry.publish({name: 'words', version: '1.0.0'});
  expect((await scene.gemini('plugins', 'install', 'words', '--yes')).code).toBe(0);
  expect((await readdir(scene.store)).filter((name) => name.startsWith('.staging')).sort()).toEqual(
    [names[3], names[4], names[0]].sort(),
  );
});
