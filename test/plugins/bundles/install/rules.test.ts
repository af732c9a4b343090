import {generateKeyPairSync} from 'node:crypto';
import {mkdir, mkdtemp, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {signPackage, type ManagedRules} from '@gemini-kernel/admission';
import {packTar, pluginFiles, type PackageParts} from '../../../helpers/registry.js';
import {installerUnder, makeInstallScene, yes, type InstallScene} from './scene.js';
import {installPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import {linkPlugin} from '#plugins/bundles/dist/install/link-plugin.js';
import {removePlugins} from '#plugins/bundles/dist/install/remove-plugins.js';
import {verifyPlugins} from '#plugins/bundles/dist/install/report/verify-plugins.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';

const hello = {name: '@acme/hello', version: '1.0.0', manifest: {capabilities: ['net:api.example.com', 'process']}};
const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: {type: 'spki', format: 'der'},
  privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
});
const publicKey = keys.publicKey.toString('base64');

async function install(
  scene: InstallScene,
  rules: Partial<ManagedRules> | 'unreadable' | undefined,
  spec = '@acme/hello',
): ReturnType<typeof installPlugin> {
  return installPlugin(await installerUnder(scene, rules), {
    wanted: parseSpec(spec, scene.project),
    consent: yes,
    force: false,
  });
}

/** The archive of a plugin that the key signed, with these files changed afterwards. */
async function packSigned(
  scene: InstallScene,
  parts: PackageParts,
  changed: Readonly<Record<string, string>> = {},
  name = 'corp',
): Promise<Buffer> {
  const folder = await mkdtemp(join(scene.folder, 'signed-'));
  const files = pluginFiles(parts);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), content);
  }
  const signature = signPackage(folder, Object.keys(files), {name, privateKey: keys.privateKey});
  const all = {...files, 'gemini.signature.json': JSON.stringify(signature), ...changed};
  return packTar(Object.entries(all).map(([path, content]) => ({path: `package/${path}`, content})));
}

test.each<[string, Partial<ManagedRules>, string, boolean]>([
  [
    'a blocked name',
    {plugins: {'@acme/hello': {mode: 'blocked', message: 'Ask in #tools.'}}},
    '@acme/hello may not be installed: the administrator has it blocked (Ask in #tools.).',
    true,
  ],
  [
    'a removed scope',
    {plugins: {'@acme/*': {mode: 'removed'}}},
    '@acme/hello may not be installed: the administrator has it removed.',
    true,
  ],
  ['everything else', {plugins: {'*': {mode: 'blocked'}}}, 'the administrator has it blocked', true],
  [
    'a source that is not allowed',
    {sources: {allowed: [{type: 'registry', host: '*.corp.example'}]}},
    'is not one that the administrator allows',
    true,
  ],
  [
    'a blocked source',
    {sources: {blocked: [{type: 'registry', host: 'HOST'}]}},
    'the administrator blocks its source',
    true,
  ],
  [
    'another version',
    {plugins: {'@acme/hello': {version: '^2'}}},
    'the administrator wants version ^2, this is 1.0.0',
    false,
  ],
  [
    'a blocked capability',
    {plugins: {'*': {blockedCapabilities: ['net:*']}}},
    'it wants net:api.example.com, which the administrator blocks',
    false,
  ],
  [
    'another archive',
    {plugins: {'@acme/hello': {integrity: `sha512-${'A'.repeat(86)}==`}}},
    'its archive is not the one the administrator names',
    false,
  ],
  [
    'other files',
    {plugins: {'@acme/hello': {tree: `sha256-${'0'.repeat(64)}`}}},
    'its files are not those the administrator names',
    false,
  ],
  [
    'a missing signature',
    {plugins: {'@acme/*': {signers: ['corp']}}, keys: {corp: publicKey}},
    'it has no signature of corp, which the administrator asks for',
    false,
  ],
  ['another kernel', {kernel: '^9'}, 'the administrator allows plugins only in kernel ^9, this is 0.2.0', true],
])('%s is refused, before anything is fetched where that can be', async (_, rules, reason, isEarly) => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  const {host} = new URL(scene.registry.url);
  const placed = JSON.parse(JSON.stringify(rules).replace('HOST', host)) as Partial<ManagedRules>;
  await expect(install(scene, placed)).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining(reason),
  });
  expect(scene.registry.requests.length === 0).toBe(isEarly);
  expect([await scene.lock(), await scene.stored()]).toEqual([undefined, []]);
});

test('what a plugin brings along comes from allowed sources too, and is as old as the plugin must be', async () => {
  await using scene = await makeInstallScene();
  await using other = await makeInstallScene();
  other.registry.publish({name: '@far/left', version: '1.0.0', manifest: null});
  await writeFile(join(scene.home, '.npmrc'), `@far:registry=${other.registry.url}\n`);
  scene.registry.publish({...hello, pack: {dependencies: {'@far/left': '1'}}});
  const {host} = new URL(scene.registry.url);
  await expect(install(scene, {sources: {allowed: [{type: 'registry', host}]}})).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringMatching(
      /^@far\/left 1\.0\.0 may not be installed: its source, .* is not one that the administrator allows\.$/,
    ),
  });
  scene.registry.publish({name: 'near', version: '1.0.0', manifest: null}, {at: new Date('2020-01-01')});
  scene.registry.publish({name: 'near', version: '1.1.0', manifest: null}, {at: new Date()});
  scene.registry.publish(
    {...hello, version: '1.0.1', pack: {dependencies: {near: '^1'}}},
    {at: new Date('2020-01-01')},
  );
  expect((await install(scene, {plugins: {'*': {minReleaseAge: '7d'}}})).locked.dependencies).toMatchObject({
    'node_modules/near': {version: '1.0.0'},
  });
});

test('rules that cannot be read let nothing in', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await expect(install(scene, 'unreadable')).rejects.toMatchObject({code: 'MANAGED_UNMET'});
  expect(scene.registry.requests).toEqual([]);
});

test('of a plugin that must have a certain age, an older version is taken, and what was passed over is said', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello, {at: new Date('2020-01-01')});
  scene.registry.publish({...hello, version: '1.1.0'}, {at: new Date()});
  const rules = {plugins: {'*': {minReleaseAge: '7d'}}};
  expect(await install(scene, rules)).toMatchObject({version: '1.0.0', tooYoung: '1.1.0'});
  await expect(install(scene, rules, '@acme/hello@1.1.0')).rejects.toMatchObject({
    code: 'INSTALL_MISSING',
    message: expect.stringContaining('as the administrator requires'),
  });
});

test('an archive from nowhere has no age, and is refused where one is asked for', async () => {
  await using scene = await makeInstallScene();
  await scene.write({
    'hello.tgz': packTar(
      Object.entries(pluginFiles(hello)).map(([path, content]) => ({path: `package/${path}`, content})),
    ),
  });
  await expect(install(scene, {plugins: {'*': {minReleaseAge: '7d'}}}, './hello.tgz')).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('its publication date is unknown'),
  });
});

test('a signature by a known key is locked, one by an unknown key is shown, one over other files refuses', async () => {
  await using scene = await makeInstallScene();
  const rules = {plugins: {'@acme/*': {signers: ['corp']}}, keys: {corp: publicKey}};
  scene.registry.publish(hello, {archive: await packSigned(scene, hello)});
  expect((await install(scene, rules)).locked.signer).toBe('corp');
  scene.registry.publish(
    {...hello, version: '1.1.0'},
    {archive: await packSigned(scene, {...hello, version: '1.1.0'}, {'more.js': 'more'})},
  );
  await expect(install(scene, rules)).rejects.toMatchObject({
    code: 'SIGNATURE_BROKEN',
    message: expect.stringContaining('its signature by corp does not fit its content'),
  });
  scene.registry.publish(
    {...hello, version: '1.2.0'},
    {archive: await packSigned(scene, {...hello, version: '1.2.0'}, {}, 'stranger')},
  );
  await expect(install(scene, rules)).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('it has no signature of corp'),
  });
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
  const shown: string[] = [];
  const other = await installerUnder(scene, {keys: {corp: publicKey}});
  await installPlugin(other, {
    wanted: parseSpec('@acme/hello', scene.project),
    consent: {...yes, show: (lines: readonly string[]) => shown.push(...lines)},
    force: false,
  });
  expect(shown).toContain('  signed by   stranger, an unknown key that proves nothing');
  expect(shown).toContain('  new         it was signed by corp before, and by no one now');
});

test('what an administrator requires stays', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  const rules = {plugins: {'@acme/hello': {mode: 'required' as const, message: 'It writes the audit log.'}}};
  await install(scene, rules);
  await expect(removePlugins(await installerUnder(scene, rules), ['@acme/hello'])).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: '@acme/hello cannot be uninstalled, because the administrator requires it (It writes the audit log.).',
  });
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
});

test('a link is refused where links are blocked, and where only pinned content may load', async () => {
  await using scene = await makeInstallScene();
  await scene.write(
    Object.fromEntries(Object.entries(pluginFiles(hello)).map(([path, content]) => [`hello/${path}`, content])),
  );
  await expect(
    linkPlugin(await installerUnder(scene, {sources: {blocked: [{type: 'link'}]}}), './hello', {
      consent: yes,
      frozen: false,
    }),
  ).rejects.toMatchObject({code: 'INSTALL_FORBIDDEN'});
  await expect(
    linkPlugin(await installerUnder(scene, {frozen: true}), './hello', {consent: yes, frozen: false}),
  ).rejects.toMatchObject({code: 'INSTALL_FROZEN'});
  await expect(
    linkPlugin(await installerUnder(scene, {}), './hello', {consent: yes, frozen: true}),
  ).rejects.toMatchObject({code: 'INSTALL_FROZEN'});
  expect(await scene.lock()).toBeUndefined();
});

test('verify names what the rules would no longer let in', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await install(scene, {});
  expect(
    await verifyPlugins(await installerUnder(scene, {plugins: {'*': {blockedCapabilities: ['process']}}})),
  ).toEqual([
    {
      name: '@acme/hello',
      version: '1.0.0',
      scope: 'user',
      faults: ['@acme/hello 1.0.0 may not be installed: it wants process, which the administrator blocks.'],
    },
  ]);
});
