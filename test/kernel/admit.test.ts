import {rename, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {findRefusal, hashTree, KERNEL_VERSION, readManifest} from '@gemini-kernel/kernel/host';
import {readFile} from 'node:fs/promises';
import {makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const schema = async () => JSON.parse(await readFile(join(checkout, 'manifests/schemas/plugin.schema.json'), 'utf8')) as Record<string, unknown>;

test('the version that plugins are held against is the version of the package', async () => {
  const {version} = JSON.parse(await readFile(join(checkout, 'kernel/package.json'), 'utf8')) as {version: string};
  expect(KERNEL_VERSION).toBe(version);
});

test.each([
  ['a reserved scope', {name: '@ours/thing'}, 'the name @ours/thing belongs to this distribution'],
  ['a reserved name', {name: 'taken'}, 'the name taken belongs to this distribution'],
  ['another kernel', {name: 'old', kernel: '^9'}, `it needs kernel ^9, this is ${KERNEL_VERSION}`],
  ['nothing wrong', {name: 'fine'}, undefined],
])('a plugin with %s is judged before its code is read', async (_, parts, reason) => {
  const {root, manifest} = await makePlugin(folder.path, parts);
  expect(await findRefusal(root, manifest, {reserved: ['@ours/', 'taken']})).toBe(reason);
});

test('with a lock only what it holds may load, as it was when it was locked [faults.lock]', async () => {
  const {root, manifest} = await makePlugin(folder.path, {name: 'locked', files: {'code.js': 'one', 'deep/more.js': 'two'}});
  await rm(join(root, 'node_modules'), {recursive: true});
  const entry = {version: '1.0.0', tree: await hashTree(root)};
  const judge = (lock: Record<string, {version: string; tree: string}>) => findRefusal(root, manifest, {reserved: [], lock});
  expect(await judge({locked: entry})).toBe(undefined);
  expect(await judge({})).toBe('it is not in the lock');
  expect(await judge({locked: {...entry, version: '2.0.0'}})).toBe('the lock says version 2.0.0, found 1.0.0');
  await writeFile(join(root, 'deep/more.js'), 'twO');
  expect(await judge({locked: entry})).toBe('its files are not those the lock was made for');
});

test('the hash of a tree sees names, bytes and link targets, and nothing else', async () => {
  const {root} = await makePlugin(folder.path, {name: 'tree', files: {'a.js': 'x', 'b.js': 'y'}});
  await rm(join(root, 'node_modules'), {recursive: true});
  const first = await hashTree(root);
  await utimes(join(root, 'a.js'), 1, 1);
  expect(await hashTree(root)).toBe(first);
  await rename(join(root, 'b.js'), join(root, 'c.js'));
  const renamed = await hashTree(root);
  expect(renamed).not.toBe(first);
  await symlink('a.js', join(root, 'link'));
  expect(await hashTree(root)).not.toBe(renamed);
});

test('the hash of a tree refuses a link that leads out, whose target could change unseen', async () => {
  const {root} = await makePlugin(folder.path, {name: 'leading-out'});
  await expect(hashTree(root)).rejects.toThrow('its node_modules/@gemini-kernel/kernel is no file of its own');
});

test.each([
  ['is not JSON', '{"name": ', 'MANIFEST_UNREADABLE', /Cannot read .*gemini\.plugin\.json: /],
  ['lacks what the schema asks for', '{"manifestVersion": 1, "name": "x"}', 'MANIFEST_INVALID', /manifest lacks "version"\. manifest lacks "description"/],
  ['is of a later format', '{"manifestVersion": 2}', 'MANIFEST_INVALID', /manifest lacks "name"\./],
  ['is empty', '', 'MANIFEST_UNREADABLE', /Unexpected end of JSON input/],
])('a manifest that %s is refused with the file and what is wrong', async (_, text, code, message) => {
  const {root} = await makePlugin(folder.path, {name: 'odd', files: {'gemini.plugin.json': text}});
  await expect(readManifest(root, await schema())).rejects.toMatchObject({code, message: expect.stringMatching(message)});
});

test('a manifest whose module leads out of the plugin is refused', async () => {
  const tool = {name: 't', description: 'd', effect: 'read' as const, annotations: {}, input: {type: 'object'}, module: './../../evil.js'};
  const {root} = await makePlugin(folder.path, {name: 'escaping', tools: [tool]});
  await expect(readManifest(root, await schema())).rejects.toMatchObject({code: 'MANIFEST_INVALID'});
});
