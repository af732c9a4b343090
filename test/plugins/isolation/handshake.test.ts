import * as nodeModule from 'node:module';
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {hashTree} from '@gemini-kernel/admission';
import {makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {where} from '../../helpers/where.js';
import {guest} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

const hasHooks = 'registerHooks' in nodeModule;

/** A plugin that a lock vouches for. */
async function openLocked(folder: Folder) {
  const code = `async run() { return {model: (await import('./later.js')).default}; }`;
  const store = join(folder.path, 'store');
  mkdirSync(store);
  const files = {'dist/later.js': `export default 'as locked';`};
  const plugin = await makePlugin(
    store,
    guest({guest_later: code, guest_now: `run: async () => ({model: 'now'})`}, {files}),
  );
  // In a store, what is lent lies above.
  renameSync(join(plugin.root, 'node_modules'), join(folder.path, 'node_modules'));
  const place = {root: plugin.root, tree: hashTree(plugin.root), record: join(folder.path, 'seen')};
  const kernel = await openIsolated({
    plugins: [plugin],
    treeOf: (file) => (file.startsWith(plugin.root) ? place : undefined),
  });
  return {plugin, kernel};
}

testIsolated('a plugin that is as its lock says runs [isolation.bytes]', async () => {
  await using folder = await makeFolder();
  const {kernel} = await openLocked(folder);
  await using _ = kernel;
  expect(await kernel.call('guest_later', {})).toMatchObject({status: 'done', result: {model: 'as locked'}});
});

testIsolated('code that changed after the start of gemini does not run [isolation.bytes]', async () => {
  await using folder = await makeFolder();
  const {kernel, plugin} = await openLocked(folder);
  await using _ = kernel;
  writeFileSync(join(plugin.root, 'dist', 'guest_now.js'), 'throw new Error("It ran.");');
  expect(await kernel.call('guest_now', {})).toMatchObject({
    status: 'failed',
    error: {code: 'PLUGIN_CHANGED', message: expect.stringContaining('the lock')},
  });
});

testIsolated('a manifest that changed after the start of gemini is not believed [isolation.bytes]', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({guest_now: `run: async () => ({model: 'now'})`}));
  await using kernel = await openIsolated({plugins: [plugin]});
  const file = join(plugin.root, 'gemini.plugin.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"version":"1.0.0"', '"version":"1.0.1"'));
  expect(await kernel.call('guest_now', {})).toMatchObject({status: 'failed', error: {code: 'PLUGIN_CHANGED'}});
  // What has the same content in another order is the same.
  writeFileSync(file, JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())));
  expect(await kernel.call('guest_now', {})).toMatchObject({status: 'done'});
});

(hasHooks ? testIsolated : where(false, 'a Node with registerHooks'))(
  'a module that changed while the process ran is not imported later [isolation.bytes]',
  async () => {
    await using folder = await makeFolder();
    const {kernel, plugin} = await openLocked(folder);
    await using _ = kernel;
    expect(await kernel.call('guest_now', {})).toMatchObject({status: 'done'});
    writeFileSync(join(plugin.root, 'dist', 'later.js'), `export default 'changed';`);
    expect(await kernel.call('guest_later', {})).toMatchObject({
      status: 'failed',
      error: {message: expect.stringContaining('is not the file that was verified')},
    });
  },
);
