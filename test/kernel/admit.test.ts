import {readFileSync} from 'node:fs';
import {readFile, rename, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {
  findRefusal,
  hashTree,
  readManifest,
  verifyTree,
  type AdmissionRules,
  type LockedPlugin,
  type ManagedRules,
} from '@gemini-kernel/admission';
import {KERNEL_VERSION} from '@gemini-kernel/kernel/host';
import {makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const schema = async () =>
  JSON.parse(await readFile(join(checkout, 'manifests/schemas/plugin.schema.json'), 'utf8')) as Record<string, unknown>;
const locked: LockedPlugin = {
  version: '1.0.0',
  source: {type: 'registry', registry: 'https://npm.corp.example/', wanted: 'latest'},
  tree: `sha256-${'1'.repeat(64)}`,
  integrity: 'sha512-one',
  capabilities: [],
};
const free: AdmissionRules = {reserved: ['@ours/', 'taken'], managed: {kind: 'none'}, frozen: false};
const none: ManagedRules = {plugins: {}, keys: {}, sources: {}};
const managed = (rules: Partial<ManagedRules>): AdmissionRules => ({
  ...free,
  managed: {kind: 'rules', files: [], rules: {...none, ...rules}},
});

test('the version that plugins are held against is the version of the package', async () => {
  const {version} = JSON.parse(await readFile(join(checkout, 'kernel/package.json'), 'utf8')) as {version: string};
  expect(KERNEL_VERSION).toBe(version);
});

test('a link that wants more than a person approved is left out until a person does [capabilities.consent]', async () => {
  const {root, manifest} = await makePlugin(folder.path, {name: 'grown', capabilities: ['fs:read', 'net:api.example']});
  const link = (...capabilities: readonly string[]): LockedPlugin => ({
    version: '1.0.0',
    source: {type: 'link', location: root},
    capabilities,
  });
  const judge = (entry: LockedPlugin): Promise<string | undefined> =>
    findRefusal({root, manifest, locked: entry, isProven: false}, free);
  expect([await judge(link('fs:read', 'net:*')), await judge(link('fs:read'))]).toEqual([
    undefined,
    'it wants net:api.example, which you have not approved; run gemini plugins link again',
  ]);
});

test.each([
  ['a reserved scope', {name: '@ours/thing'}, 'the name @ours/thing belongs to this distribution'],
  ['a reserved name', {name: 'taken'}, 'the name taken belongs to this distribution'],
  ['another kernel', {name: 'old', kernel: '^9'}, `it needs kernel ^9, this is ${KERNEL_VERSION}`],
  ['nothing wrong', {name: 'fine'}, undefined],
])('a plugin with %s is judged before its code is read', async (_, parts, reason) => {
  const {root, manifest} = await makePlugin(folder.path, parts);
  expect(await findRefusal({root, manifest, locked, isProven: false}, free)).toBe(reason);
});

describe('what a lock and an administrator say of a plugin', () => {
  const link: LockedPlugin = {version: '1.0.0', source: {type: 'link', location: '/mine'}, capabilities: []};
  test.each<[string, LockedPlugin | undefined, AdmissionRules, string | undefined]>([
    ['one that no lock has [faults.lock]', undefined, free, 'it is not in the lock'],
    ['one of another version', {...locked, version: '2.0.0'}, free, 'the lock says version 2.0.0, found 1.0.0'],
    ['a link', link, free, undefined],
    [
      'a link that claims a content, where only what is pinned may load',
      {...link, tree: locked.tree ?? ''},
      {...free, frozen: true},
      'it is a link, and only what is pinned by its content may load (frozen)',
    ],
    [
      'a link that claims the content that is asked for',
      {...link, tree: locked.tree ?? ''},
      managed({plugins: {judged: {tree: locked.tree ?? ''}}}),
      'it is a link, and the administrator names what it must hold',
    ],
    [
      'a link, where only what is pinned may load',
      link,
      {...free, frozen: true},
      'it is a link, and only what is pinned by its content may load (frozen)',
    ],
    [
      'a link, where the administrator wants the same',
      link,
      managed({frozen: true}),
      'it is a link, and only what is pinned by its content may load (frozen)',
    ],
    [
      'any, when the rules cannot be relied on',
      locked,
      {...free, managed: {kind: 'unreadable', reason: 'x.json is not valid', blocked: []}},
      "the administrator's rules cannot be relied on, so only what came with the product may load: x.json is not valid",
    ],
    [
      'one that is blocked',
      locked,
      managed({plugins: {judged: {mode: 'blocked'}}}),
      'the administrator has it blocked',
    ],
    [
      'one that is not among the allowed, with a message',
      locked,
      managed({plugins: {'*': {mode: 'blocked', message: 'Ask #tools.'}, other: {mode: 'allowed'}}}),
      'the administrator has it blocked (Ask #tools.)',
    ],
    [
      'one that is allowed where all others are not',
      locked,
      managed({plugins: {'*': {mode: 'blocked'}, judged: {mode: 'allowed'}}}),
      undefined,
    ],
    [
      'one of another version than wanted',
      locked,
      managed({plugins: {judged: {version: '>=2'}}}),
      'the administrator wants version >=2, this is 1.0.0',
    ],
    [
      'one whose archive alone is named, which a person could claim',
      locked,
      managed({plugins: {judged: {integrity: 'sha512-one'}}}),
      'the administrator names its archive only, which proves nothing at a start; gemini plugins inspect shows ' +
        'the tree to name',
    ],
    [
      'one of another archive than named',
      locked,
      managed({plugins: {judged: {integrity: 'sha512-two', tree: locked.tree ?? ''}}}),
      'its archive is not the one the administrator names (sha512-two…)',
    ],
    [
      'one from a source that is blocked',
      locked,
      managed({sources: {blocked: [{type: 'registry', host: '*.corp.example'}]}}),
      'the administrator blocks its source, the registry npm.corp.example',
    ],
    [
      'one from a source that is not allowed',
      locked,
      managed({sources: {allowed: [{type: 'git'}]}}),
      'its source, the registry npm.corp.example, is not one that the administrator allows',
    ],
    [
      'one without the signature that is asked for',
      locked,
      managed({plugins: {judged: {signers: ['corp']}}}),
      'it has no signature of corp, which the administrator asks for',
    ],
    [
      'one whose lock claims a signature that its files do not have',
      {...locked, signer: 'corp'},
      managed({plugins: {judged: {signers: ['corp']}}}),
      'it has no signature of corp, which the administrator asks for',
    ],
    [
      'any, in another kernel than the administrator wants',
      locked,
      managed({kernel: '^9'}),
      `the administrator lets plugins load in kernel ^9 only, this is ${KERNEL_VERSION}`,
    ],
  ])('%s', async (_, entry, rules, reason) => {
    const {root, manifest} = await makePlugin(folder.path, {name: 'judged'});
    expect(await findRefusal({root, manifest, locked: entry, isProven: false}, rules)).toBe(reason);
  });
});

async function makeTree(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const {root} = await makePlugin(folder.path, {name, files});
  await rm(join(root, 'node_modules'), {recursive: true});
  return root;
}

test('the hash of a tree sees names, bytes and link targets, and nothing else', async () => {
  const root = await makeTree('tree', {'a.js': 'x', 'b.js': 'y'});
  const first = hashTree(root);
  await utimes(join(root, 'a.js'), 1, 1);
  expect(hashTree(root)).toBe(first);
  await rename(join(root, 'b.js'), join(root, 'c.js'));
  const renamed = hashTree(root);
  expect(renamed).not.toBe(first);
  await symlink('a.js', join(root, 'link'));
  expect(hashTree(root)).not.toBe(renamed);
});

test('the hash of a tree refuses a link that leads out, whose target could change unseen', async () => {
  const {root} = await makePlugin(folder.path, {name: 'leading-out'});
  expect(() => hashTree(root)).toThrow('its node_modules/@gemini-kernel/kernel is no file of its own');
});

describe('a tree is held against its lock', () => {
  const changes: readonly [string, (root: string) => Promise<unknown>, string | undefined][] = [
    ['untouched', async () => undefined, undefined],
    ['with other times only', (root) => utimes(join(root, 'a.js'), 1, 1), undefined],
    [
      'with one byte changed',
      (root) => writeFile(join(root, 'a.js'), 'y'),
      'its files are not those the lock was made for (a.js)',
    ],
    [
      'with one byte changed and its time set back',
      async (root) => writeFile(join(root, 'a.js'), 'y').then(() => utimes(join(root, 'a.js'), 1, 1)),
      'its files are not those the lock was made for (a.js)',
    ],
    [
      'with a file more',
      (root) => writeFile(join(root, 'deep/z.js'), ''),
      'its files are not those the lock was made for (deep/z.js)',
    ],
    ['with a file less', (root) => rm(join(root, 'a.js')), 'its files are not those the lock was made for'],
    [
      'with a link out of it',
      (root) => rm(join(root, 'a.js')).then(() => symlink('/etc/hostname', join(root, 'a.js'))),
      'its a.js is no file of its own',
    ],
  ];
  test.each(changes)('%s', async (title, change, reason) => {
    const root = await makeTree(`held-${title.replaceAll(' ', '-')}`, {'a.js': 'x', 'deep/b.js': 'y'});
    const check = {root, tree: hashTree(root), record: join(root, '..', `${title}.txt`)};
    expect(await verifyTree(check)).toBe(undefined);
    await change(root);
    expect(await verifyTree(check)).toBe(reason);
  });

  test('by what was noted, as long as nothing moved', async () => {
    const root = await makeTree('noted', {'a.js': 'x'});
    const record = join(root, '..', 'noted.txt');
    await verifyTree({root, tree: hashTree(root), record});
    // A note that lies is believed: it is in the user's own cache, and anyone who can write there can do
    // more.
    const wrong = `sha256-${'0'.repeat(64)}`;
    const [before, after] = [Buffer.from(hashTree(root)), Buffer.from(wrong)];
    const bytes = readFileSync(record);
    after.copy(bytes, bytes.indexOf(before));
    await writeFile(record, bytes);
    expect([await verifyTree({root, tree: wrong, record}), await verifyTree({root, tree: wrong})]).toEqual([
      undefined,
      'its files are not those the lock was made for',
    ]);
  });
});

test.each([
  ['is not JSON', '{"name": ', 'MANIFEST_UNREADABLE', /Cannot read .*gemini\.plugin\.json: /],
  [
    'lacks what the schema asks for',
    '{"manifestVersion": 1, "name": "x"}',
    'MANIFEST_INVALID',
    /manifest lacks "version"\. manifest lacks "description"/,
  ],
  ['is of a later format', '{"manifestVersion": 2}', 'MANIFEST_INVALID', /manifest lacks "name"\./],
  ['is empty', '', 'MANIFEST_UNREADABLE', /Unexpected end of JSON input/],
])('a manifest that %s is refused with the file and what is wrong', async (_, text, code, message) => {
  const {root} = await makePlugin(folder.path, {name: 'odd', files: {'gemini.plugin.json': text}});
  await expect(readManifest(root, await schema())).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test('a manifest whose module leads out of the plugin is refused', async () => {
  const tool = {
    name: 't',
    description: 'd',
    effect: 'read' as const,
    annotations: {},
    input: {type: 'object'},
    module: './../../evil.js',
  };
  const {root} = await makePlugin(folder.path, {name: 'escaping', tools: [tool]});
  await expect(readManifest(root, await schema())).rejects.toMatchObject({code: 'MANIFEST_INVALID'});
});
