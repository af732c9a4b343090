import {access, lstat, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {packPackage, pluginFiles} from '../../../helpers/registry.js';
import {installHere, installerUnder, makeInstallScene, verifyHere, yes} from './scene.js';
import {linkPlugin} from '#plugins/bundles/dist/install/link-plugin.js';

const hello = {name: '@acme/hello', version: '1.0.0'};
const dead = {npm_config_registry: 'http://127.0.0.1:9/'};

test('1: a reinstallation that fails leaves the working plugin in place', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await installHere(scene, '@acme/hello');
  const before = await scene.lock();
  expect(await scene.geminiWith({variables: dead}, 'plugins', 'install', '@acme/hello', '--yes')).toMatchObject({
    code: 1,
  });
  scene.registry.misbehave(/\.tgz/, 'cut');
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--yes')).toMatchObject({code: 1});
  expect(await scene.lock()).toEqual(before);
  expect(await verifyHere(scene)).toEqual({'@acme/hello 1.0.0': []});
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'a registry that refuses connections',
    dead,
    'Error: Cannot get @acme/hello from 127.0.0.1:9: it refuses connections.',
  ],
  [
    'an unknown host',
    {npm_config_registry: 'http://registry.invalid/'},
    'Error: Cannot get @acme/hello from registry.invalid: ',
  ],
])('2: %s is named as the cause within two seconds', async (_, variables, sentence) => {
  await using scene = await makeInstallScene();
  const began = performance.now();
  const {code, stderr} = await scene.geminiWith(
    {variables: {...variables, no_proxy: '*'}},
    'plugins',
    'install',
    '@acme/hello',
    '--yes',
  );
  expect(performance.now() - began).toBeLessThan(2500);
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).not.toMatch(/not exist|has no @acme/);
});

test('2: a registry that does not answer fails after the timeout that npm is configured with', async () => {
  await using scene = await makeInstallScene();
  scene.registry.misbehave(/hello/, 'hang');
  const {code, stderr} = await scene.geminiWith(
    {variables: {npm_config_fetch_timeout: '500'}},
    'plugins',
    'install',
    '@acme/hello',
    '--yes',
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining('it did not answer in time.')]);
});

test.each<[401 | 403 | 404 | 500, string]>([
  [401, 'it requires a login (401).'],
  [403, 'it requires a login (403).'],
  [404, 'has no @acme/hello.'],
  [500, 'it answered 500.'],
])('2: the answer %i says what it means', async (status, text) => {
  await using scene = await makeInstallScene();
  scene.registry.misbehave(/hello/, status);
  const hint =
    status === 401 || status === 403 ? {hint: expect.stringContaining('Log in with npm login --registry')} : {};
  await expect(installHere(scene, '@acme/hello')).rejects.toMatchObject({
    message: expect.stringContaining(text),
    ...hint,
  });
});

test.each<['cut' | 'swap' | 'lie', string]>([
  ['cut', 'the connection broke after '],
  ['swap', 'The archive of @acme/hello 1.0.0 does not match the registry: expected sha512-'],
  ['lie', 'The archive of @acme/hello 1.0.0 does not match the registry: expected sha512-'],
])('an archive that comes as by "%s" is never unpacked', async (fault, text) => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  scene.registry.misbehave(fault === 'lie' ? /hello$/ : /\.tgz/, fault);
  await expect(installHere(scene, '@acme/hello')).rejects.toMatchObject({message: expect.stringContaining(text)});
  expect(await scene.stored()).toEqual([]);
});

test('3: install scripts do not run, however npm is configured', async () => {
  await using scene = await makeInstallScene();
  const ran = join(scene.folder, 'ran');
  await writeFile(join(scene.home, '.npmrc'), 'ignore-scripts=false\n');
  scene.registry.publish({...hello, pack: {scripts: {postinstall: `touch ${ran}`}, dependencies: {left: '1'}}});
  scene.registry.publish({
    name: 'left',
    version: '1.0.0',
    manifest: null,
    pack: {scripts: {postinstall: `touch ${ran}`}},
  });
  expect(
    await scene.geminiWith(
      {variables: {npm_config_ignore_scripts: 'false'}},
      'plugins',
      'install',
      '@acme/hello',
      '--yes',
    ),
  ).toMatchObject({code: 0});
  await expect(access(ran)).rejects.toThrow('ENOENT');
});

test('4: two installations at once both succeed, and both plugins load', async () => {
  await using scene = await makeInstallScene();
  const names = ['one-plugin', 'other-thing', 'third-party'];
  for (const name of names) scene.registry.publish({name, version: '1.0.0'});
  const runs = await Promise.all(names.map((name) => scene.gemini('plugins', 'install', name, '--yes')));
  expect(runs.map(({code, stderr}) => ({code, stderr}))).toEqual(names.map(() => ({code: 0, stderr: ''})));
  expect(await scene.installed()).toEqual(Object.fromEntries(names.map((name) => [name, '1.0.0'])));
  expect(await verifyHere(scene)).toEqual(Object.fromEntries(names.map((name) => [`${name} 1.0.0`, []])));
});

test.each(['@gemini-kernel/plugin-tools', '@gemini-kernel/plugin-new', '@oclif/plugin-plugins'])(
  '5: %s cannot be installed or linked, whatever brings it',
  async (name) => {
    await using scene = await makeInstallScene();
    scene.registry.publish({name, version: '9.0.0'});
    const files = pluginFiles({name, version: '9.0.0'});
    await scene.write({
      'x.tgz': packPackage({name, version: '9.0.0'}),
      ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`x/${path}`, content])),
    });
    const refusal = expect.stringContaining(`the name ${name} is reserved for this distribution`) as unknown as string;
    const installer = await installerUnder(scene, undefined);
    for (const attempt of [
      () => installHere(scene, name),
      () => installHere(scene, './x.tgz'),
      () => linkPlugin(installer, './x', {consent: yes, frozen: false}),
    ])
      await expect(attempt()).rejects.toMatchObject({message: refusal});
    expect(await scene.gemini('plugins', 'install', name, '--yes', '--force')).toMatchObject({
      code: expect.any(Number),
      stderr: refusal,
    });
    expect(scene.registry.requests).toEqual([]);
    expect(await scene.lock()).toBeUndefined();
  },
);

test('6: an archive without dependencies is installed without a network and without npm', async () => {
  await using scene = await makeInstallScene();
  await scene.write({'hello.tgz': packPackage(hello)});
  expect(
    await scene.geminiWith({variables: {...dead, PATH: '/nowhere'}}, 'plugins', 'install', './hello.tgz', '--yes'),
  ).toMatchObject({code: 0, stderr: ''});
});

test('6: a plugin with dependencies says that npm is missing', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({...hello, pack: {dependencies: {left: '1'}}});
  expect(
    await scene.geminiWith({variables: {PATH: '/nowhere'}}, 'plugins', 'install', '@acme/hello', '--yes'),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This installation needs npm, which is not in any folder of PATH.'),
  });
});

test('7: a plugin without copies of the kernel and of oclif runs with those of the program', async () => {
  await using scene = await makeInstallScene();
  const command =
    "import {Command} from '@oclif/core';\nexport default class extends Command { async run() { this.log('ran'); } }\n";
  const entry = {
    id: 'lent',
    aliases: [],
    args: {},
    flags: {},
    hiddenAliases: [],
    strict: true,
    enableJsonFlag: false,
    isESM: true,
    relativePath: ['dist', 'commands', 'lent.js'],
    summary: 'Lent.',
  };
  scene.registry.publish({
    ...hello,
    pack: {peerDependencies: {'@oclif/core': '^4', '@gemini-kernel/kernel': '^0.2.0'}},
    manifest: {
      commands: [{id: 'lent', aliases: [], summary: 'Lent.', slash: false, module: './dist/commands/lent.js'}],
    },
    files: {
      'dist/commands/lent.js': command,
      'oclif.manifest.json': JSON.stringify({version: '1.0.0', commands: {lent: entry}}),
    },
  });
  await installHere(scene, '@acme/hello');
  expect(await scene.gemini('lent')).toEqual({code: 0, stdout: 'ran\n', stderr: ''});
});

test('8: a plugin whose files are gone is one line, and can be uninstalled', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await installHere(scene, '@acme/hello');
  await rm(scene.store, {recursive: true});
  const listed = await scene.gemini('plugins', 'list');
  expect(listed.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^Warning: The plugin @acme\/hello was left out: its folder .* is gone; run gemini plugins uninstall @acme\/hello\./,
    ),
  ]);
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('@acme/hello 1.0.0 is already installed'),
  });
  expect(await verifyHere(scene)).toEqual({'@acme/hello 1.0.0': []});
  await rm(scene.store, {recursive: true});
  expect(await scene.gemini('plugins', 'remove', '@acme/hello')).toMatchObject({
    code: 0,
    stdout: 'Uninstalled @acme/hello 1.0.0.\n',
  });
});

test('9: a linked plugin with a tsconfig.json is linked and runs without a word of transpiling; npm never runs', async () => {
  await using scene = await makeInstallScene();
  const files = pluginFiles({...hello, pack: {dependencies: {left: '1'}}});
  await scene.write({
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`hello/${path}`, content])),
    'hello/tsconfig.json': '{}',
    'hello/package-lock.json': '{}',
  });
  expect(
    await scene.geminiWith({variables: {PATH: '/nowhere'}}, 'plugins', 'link', './hello', '--no-install', '--yes'),
  ).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(`Linked @acme/hello 1.0.0 from ${join(scene.project, 'hello')}.\n`),
  });
  expect(await scene.gemini('tools', 'list')).toMatchObject({
    stderr: '',
    stdout: expect.stringContaining('acme_hello_echo'),
  });
  expect(await scene.gemini('plugins', 'unlink', '@acme/hello')).toMatchObject({code: 0});
});

test('11: another registry counts for a plugin and for its dependencies', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'left', version: '1.0.0', manifest: null});
  scene.registry.publish({...hello, pack: {dependencies: {left: '1'}}});
  expect(
    await scene.geminiWith(
      {variables: {...dead, GEMINI_NPM_REGISTRY: scene.registry.url}},
      'plugins',
      'install',
      '@acme/hello',
      '--yes',
    ),
  ).toMatchObject({code: 0});
  expect(await scene.geminiWith({variables: dead}, 'plugins', 'update', '--check')).toMatchObject({code: 1});
});

test('what lies in the store is no link, and its lock can be read by everybody who may', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await scene.gemini('plugins', 'install', '@acme/hello', '--yes');
  const [name = ''] = await scene.stored();
  expect((await lstat(join(scene.store, name, 'node_modules', '@acme', 'hello'))).isSymbolicLink()).toBe(false);
  expect(JSON.parse(await readFile(join(scene.data, 'ext', 'package.json'), 'utf8'))).toEqual({
    name: 'gemini',
    private: true,
    oclif: {
      schema: 1,
      plugins: [{name: '@acme/hello', type: 'link', root: join(scene.store, name, 'node_modules', '@acme', 'hello')}],
    },
  });
});
