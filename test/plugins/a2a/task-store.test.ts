import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {taskStoreCases} from '@gemini-kernel/plugin-a2a/testing';
import {FileStorage} from '#plugins/a2a/dist/store/file-storage.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-a2a-store-'));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

const key = {owner: 'a1b2c3d4', kind: 'task', id: 't1'} as const;

describe('the store of files [peer.store]', () => {
  test.each(taskStoreCases())('$title', ({run}) => run(async () => new FileStorage(folder)));

  test('is for its owner only, and a file that was cut off is no value', async () => {
    const store = new FileStorage(folder);
    await store.put(key, {a: 1}, {durable: true});
    const file = join(folder, 'a1b2c3d4', 't1.json');
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, '{"a": ');
    expect(await store.get(key)).toBeUndefined();
  });

  test('a server whose process was killed is not held', async () => {
    const code = `
      import {FileStorage} from ${JSON.stringify(join(pluginRoot('a2a'), 'dist', 'store', 'file-storage.js'))};
      await new FileStorage(${JSON.stringify(folder)}).hold('server-1');
      console.log('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {stdio: ['ignore', 'pipe', 'inherit']});
    await once(child.stdout, 'data');
    const store = new FileStorage(folder);
    expect(await store.isHeld('server-1')).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await store.isHeld('server-1')).toBe(false);
  });
});
