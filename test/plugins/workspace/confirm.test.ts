import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, open, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {onLinux} from '../../helpers/where.js';
import {isStillAt} from '#plugins/workspace/dist/path-identity.js';

const plugins = [pluginRoot('settings'), pluginRoot('workspace')];
const files = {'sub/a.txt': 'inside', 'sub/b.txt': 'other', '../outside/a.txt': 'secret'};

/** Resolves, lets something happen, opens and confirms, as a tool does; gives the text or the error's code. */
async function read(
  kernel: TestKernel,
  path: string,
  meanwhile: (project: string) => Promise<unknown>,
): Promise<string> {
  const workspace = await kernel.service('workspace');
  const real = await workspace.resolve(path);
  await meanwhile(kernel.project);
  const handle = await open(real);
  try {
    const {dev, ino} = await handle.stat({bigint: true});
    await workspace.confirm(real, {device: dev.toString(), inode: ino.toString()});
    return await handle.readFile('utf8');
  } catch (error) {
    return (error as {code: string}).code;
  } finally {
    await handle.close();
  }
}

describe('between the check of a path and its use', () => {
  test.each<[string, string, (project: string) => Promise<unknown>]>([
    ['nothing happens', 'inside', async () => undefined],
    ['another file appears beside it', 'inside', (project) => writeFile(join(project, 'sub/c.txt'), '')],
    ['its text changes', 'changed', (project) => writeFile(join(project, 'sub/a.txt'), 'changed')],
    [
      'a link out takes its place',
      'PATH_CHANGED',
      async (project) => {
        await rm(join(project, 'sub/a.txt'));
        await symlink(join(dirname(project), 'outside/a.txt'), join(project, 'sub/a.txt'));
      },
    ],
    [
      'a link to a file inside takes its place',
      'PATH_CHANGED',
      async (project) => {
        await rm(join(project, 'sub/a.txt'));
        await symlink('b.txt', join(project, 'sub/a.txt'));
      },
    ],
    [
      'a link out takes the place of its folder',
      'PATH_CHANGED',
      async (project) => {
        await rename(join(project, 'sub'), join(project, 'old'));
        await symlink(join(dirname(project), 'outside'), join(project, 'sub'));
      },
    ],
  ])('%s: %s', async (_, expected, meanwhile) => {
    await using kernel = await createTestKernel({plugins, files});
    expect(await read(kernel, 'sub/a.txt', meanwhile)).toBe(expected);
  });

  test('a file replaced after it was opened is refused [workspace.no-gap]', async () => {
    await using kernel = await createTestKernel({plugins, files});
    const workspace = await kernel.service('workspace');
    const path = await workspace.resolve('sub/a.txt');
    const handle = await open(path);
    const {dev, ino} = await handle.stat({bigint: true});
    await rename(join(kernel.project, 'sub/b.txt'), path);
    await expect(workspace.confirm(path, {device: dev.toString(), inode: ino.toString()})).rejects.toMatchObject({
      code: 'PATH_CHANGED',
      message: `${path} was replaced or moved while it was being opened.`,
      data: {path},
    });
    await rm(path);
    await expect(workspace.confirm(path, {device: dev.toString(), inode: ino.toString()})).rejects.toMatchObject({
      code: 'PATH_CHANGED',
    });
    await handle.close();
  });

  test('a path outside every root is refused, however unchanged', async () => {
    await using kernel = await createTestKernel({plugins, files});
    const path = join(dirname(kernel.project), 'outside/a.txt');
    const handle = await open(path);
    const {dev, ino} = await handle.stat({bigint: true});
    await handle.close();
    await expect(
      (await kernel.service('workspace')).confirm(path, {device: dev.toString(), inode: ino.toString()}),
    ).rejects.toMatchObject({code: 'PATH_CHANGED'});
  });

  test('the root itself and its folders can be confirmed too', async () => {
    await using kernel = await createTestKernel({plugins, files});
    const workspace = await kernel.service('workspace');
    for (const path of [kernel.project, join(kernel.project, 'sub')]) {
      const handle = await open(path);
      const {dev, ino} = await handle.stat({bigint: true});
      await handle.close();
      await expect(workspace.confirm(path, {device: dev.toString(), inode: ino.toString()})).resolves.toBeUndefined();
    }
  });

  test.each<NodeJS.Platform>(['linux', 'darwin'])(
    'the look of %s tells a file from the link in its place',
    async (platform) => {
      await using kernel = await createTestKernel({plugins, files});
      const path = join(kernel.project, 'sub/a.txt');
      const handle = await open(path);
      const {dev, ino} = await handle.stat({bigint: true});
      await handle.close();
      const identity = {device: dev.toString(), inode: ino.toString()};
      const before = await isStillAt(path, identity, platform);
      await rename(join(kernel.project, 'sub'), join(kernel.project, 'moved'));
      await symlink('moved', join(kernel.project, 'sub'));
      expect([
        before,
        await isStillAt(path, identity, platform),
        await isStillAt(join(kernel.project, 'moved/a.txt'), identity, platform),
      ]).toEqual([true, false, true]);
    },
  );

  onLinux('a process that swaps the folder all the time never gets an outside file confirmed', async () => {
    await using kernel = await createTestKernel({plugins, files: {'../outside/a.txt': 'secret'}});
    const [inside, outside] = [join(kernel.project, 'inside'), join(dirname(kernel.project), 'outside')];
    await mkdir(inside);
    await writeFile(join(inside, 'a.txt'), 'inside');
    await symlink(outside, join(kernel.project, 'link'));
    const workspace = await kernel.service('workspace');
    const swapper = spawn(process.execPath, ['-e', SWAPPER, kernel.project], {stdio: ['ignore', 'pipe', 'inherit']});
    const stopped = once(swapper, 'exit');
    const path = join(kernel.project, 'now/a.txt');
    const texts = new Set<string>();
    let opened = 0;
    try {
      await once(swapper.stdout, 'data');
      for (let round = 0; round < 2000; round += 1) {
        const handle = await open(path).catch(() => undefined);
        if (handle === undefined) continue;
        opened += 1;
        const {dev, ino} = await handle.stat({bigint: true});
        const isConfirmed = await workspace.confirm(path, {device: dev.toString(), inode: ino.toString()}).then(
          () => true,
          () => false,
        );
        if (isConfirmed) texts.add(await handle.readFile('utf8'));
        await handle.close();
      }
    } finally {
      swapper.kill('SIGKILL');
      await stopped;
    }
    expect({isBusy: opened > 100, texts: [...texts]}).toEqual({isBusy: true, texts: ['inside']});
  });
});

/**
 * Puts the folder and a link out in each other's place, at the name `now`, until it is stopped or its parent is gone.
 */
const SWAPPER = `
  const {renameSync, writeSync} = require('node:fs');
  process.chdir(process.argv[1]);
  writeSync(1, 'ready');
  for (const parent = process.ppid; process.ppid === parent; ) {
    renameSync('inside', 'now');
    renameSync('now', 'inside');
    renameSync('link', 'now');
    renameSync('now', 'link');
  }
`;
