import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {findPlugins} from '#kernel/sdk/dist/find-plugins.js';
import {readAdministrator, requireManaged} from '#kernel/sdk/dist/administrator.js';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {openSdkPlace} from './sdk-place.js';

const code = listenerCode('tool:judge', "return {decision: 'deny', reason: 'The guard says no.'};");
const guard = {
  name: '@acme/guard',
  listeners: [{hook: 'tool:judge', module: './judge.mjs'}],
  files: {'judge.mjs': code},
};

/** The administrator's places in a folder, with these rules. */
async function makeSystem(folder: Folder, rules?: object): Promise<Parameters<typeof readAdministrator>[0]> {
  const place = (name: string): string => join(folder.path, 'system', name);
  if (rules) {
    await mkdir(place('plugins.d'), {recursive: true});
    await writeFile(join(place('plugins.d'), 'a.json'), JSON.stringify(rules));
  }
  return {
    ...{lock: place('plugins.lock.json'), store: place('store'), bundles: place('bundles'), rules: place('plugins.d')},
    owner: process.getuid?.(),
  };
}

test('a plugin by path guards the calls of an agent [sdk.plugins]', async () => {
  await using folder = await makeFolder();
  const {root} = await makePlugin(folder.path, guard);
  await using place = await openSdkPlace();
  const session = await (await place.agent({plugins: [root]})).session();
  expect(await session.call('read_file', {file_path: 'a.txt'})).toMatchObject({
    status: 'refused',
    reason: 'The guard says no.',
    by: '@acme/guard',
  });
});

test('a plugin that is not there, is broken or poses as ours is refused by name [sdk.plugins]', async () => {
  await using folder = await makeFolder();
  await using place = await openSdkPlace();
  const {root: ours} = await makePlugin(folder.path, {...guard, name: '@gemini-kernel/plugin-x'});
  const {root: lost} = await makePlugin(folder.path, {
    ...guard,
    name: '@acme/lost',
    listeners: [{hook: 'unknown:moment', module: './judge.mjs'}],
  });
  for (const [plugin, reason] of [
    [join(folder.path, 'none'), 'ENOENT'],
    [folder.path, 'gemini.plugin.json'],
    ['@acme/none', 'there is no package of this name'],
    ['./relative', 'there is no package of this name'],
    [ours, 'belongs to this distribution'],
    [lost, 'unknown:moment'],
  ] as const)
    await expect(place.agent({plugins: [plugin]})).rejects.toMatchObject({
      code: 'SDK_PLUGIN_REFUSED',
      message: expect.stringContaining(reason) as unknown,
    });
});

test('the rules of an administrator hold for plugins of a program [sdk.managed]', async () => {
  await using folder = await makeFolder();
  const {root, manifest} = await makePlugin(folder.path, guard);
  for (const rules of [
    {plugins: {'@acme/guard': {mode: 'blocked'}}},
    {frozen: true},
    {sources: {allowed: [{type: 'registry'}]}},
    {plugins: {'@acme/*': {tree: `sha256-${'a'.repeat(64)}`}}},
  ]) {
    await using own = await makeFolder();
    const administrator = await readAdministrator(await makeSystem(own, rules));
    await expect(findPlugins([root], administrator)).rejects.toMatchObject({code: 'SDK_PLUGIN_REFUSED'});
  }
  await using none = await makeFolder();
  const administrator = await readAdministrator(await makeSystem(none));
  expect(await findPlugins([root], administrator)).toEqual([{root, origin: 'user', manifest}]);
});

test('an agent does not start where it cannot keep the rules of an administrator [sdk.managed]', async () => {
  await using folder = await makeFolder();
  const system = await makeSystem(folder, {plugins: {'@acme/guard': {mode: 'required'}}});
  const administrator = await readAdministrator(system);
  const without = {plugins: new Map()} as unknown as Parameters<typeof requireManaged>[1];
  expect(() => requireManaged(administrator, without)).toThrow('The administrator requires @acme/guard');
  const withGuard = {plugins: new Map([['@acme/guard', {}]])} as unknown as Parameters<typeof requireManaged>[1];
  expect(() => requireManaged(administrator, withGuard)).not.toThrow();
  await writeFile(system?.lock ?? '', '{}');
  await expect(readAdministrator(system)).rejects.toMatchObject({code: 'MANAGED_UNMET'});
  await using broken = await makeFolder();
  const spoiled = await makeSystem(broken, {plugins: {'@acme/guard': {mode: 'perhaps'}}});
  await expect(readAdministrator(spoiled)).rejects.toMatchObject({
    code: 'MANAGED_UNMET',
    message: expect.stringContaining('cannot be relied on') as unknown,
  });
});
