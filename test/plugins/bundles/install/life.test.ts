import {appendFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {copyInstalled, installHere, makeInstallScene, verifyHere, type InstallScene} from './scene.js';

const hello = {name: '@acme/hello', version: '1.0.0'};

let prepared: InstallScene;

function publishHello({registry}: InstallScene): void {
  registry.publish({name: 'left', version: '1.0.0', manifest: null});
  registry.publish({...hello, pack: {dependencies: {left: '^1'}}});
}

beforeAll(async () => {
  prepared = await makeInstallScene();
  publishHello(prepared);
  const {code, stderr} = await prepared.gemini('plugins', 'install', '@acme/hello@^1', '--yes');
  expect([code, stderr]).toEqual([0, '']);
});

afterAll(async () => prepared[Symbol.asyncDispose]());

/** A person who installed `@acme/hello@^1` from their own registry. */
async function withHello(): Promise<InstallScene> {
  const scene = await makeInstallScene();
  publishHello(scene);
  await copyInstalled(prepared, scene);
  return scene;
}

async function treeOf(scene: InstallScene): Promise<string> {
  const [name = ''] = await scene.stored();
  return join(scene.store, name, 'node_modules');
}

test('update stays within what was asked for, and asks for nothing when nothing new is wanted', async () => {
  await using scene = await withHello();
  scene.registry.publish({...hello, version: '1.1.0'});
  scene.registry.publish({...hello, version: '2.0.0'});
  const check = await scene.gemini('plugins', 'update', '--check');
  expect([check.code, check.stdout]).toEqual([
    0,
    '@acme/hello  1.0.0 -> 1.1.0, available\n               dependencies: 0 more, 1 fewer, 0 other versions\n',
  ]);
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
  const approved = (await scene.lock())?.plugins['@acme/hello']?.approved;
  expect(await scene.gemini('plugins', 'update')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('@acme/hello  1.0.0 -> 1.1.0\n'),
  });
  expect((await scene.lock())?.plugins['@acme/hello']).toMatchObject({version: '1.1.0', approved});
});

test('an update that wants more than before is agreed to first; one that fails does not keep others from it', async () => {
  await using scene = await withHello();
  scene.registry.publish({name: 'calm', version: '1.0.0'});
  await installHere(scene, 'calm');
  scene.registry.publish({...hello, version: '1.1.0', manifest: {capabilities: ['process']}});
  scene.registry.publish({name: 'calm', version: '1.1.0'});
  const {code, stdout} = await scene.gemini('plugins', 'update');
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      '@acme/hello  1.0.0, not updated: @acme/hello 1.1.0 was not installed, because there is no terminal ' +
        'to ask for your consent.',
    ),
  ]);
  expect(stdout).toContain('  new         it wants to run programs\n');
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0', calm: '1.1.0'});
  const agreed = await scene.gemini('plugins', 'update', '--yes', '--json');
  expect([agreed.code, JSON.parse(agreed.stdout)]).toMatchObject([
    0,
    {
      plugins: [
        {
          name: '@acme/hello',
          from: '1.0.0',
          to: '1.1.0',
          state: 'updated',
          change: {newCapabilities: ['process']},
          needsConsent: true,
        },
        {name: 'calm', state: 'current'},
      ],
    },
  ]);
});

test('a tag that moved back is followed only on request', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await installHere(scene, '@acme/hello');
  scene.registry.publish({...hello, version: '0.9.0'});
  expect(await scene.gemini('plugins', 'update')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('@acme/hello 0.9.0 is older than the installed 1.0.0.'),
  });
  expect(await scene.gemini('plugins', 'update', '--force')).toMatchObject({code: 0});
  expect(await scene.installed()).toEqual({'@acme/hello': '0.9.0'});
});

test('rollback brings back what was, after hashing it', async () => {
  await using scene = await withHello();
  scene.registry.publish({...hello, version: '1.1.0'});
  await installHere(scene, '@acme/hello@1.1.0');
  await scene.registry.close();
  expect(await scene.gemini('plugins', 'rollback', '--list')).toMatchObject({
    stdout: '   1  @acme/hello 1.0.0\n   0  no plugins\n',
  });
  expect(await scene.gemini('plugins', 'rollback')).toEqual({
    code: 0,
    stderr: '',
    stdout: 'Restored state 1:\n  @acme/hello: 1.1.0 -> 1.0.0\n',
  });
  expect(await verifyHere(scene)).toEqual({'@acme/hello 1.0.0': []});
  const [, newer = ''] = await scene.stored();
  await appendFile(join(scene.store, newer, 'node_modules', '@acme', 'hello', 'dist', 'tools', 'echo.js'), ' ');
  expect(await scene.gemini('plugins', 'rollback', '@acme/hello', '--to', '2')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: The files of @acme/hello 1.1.0 are missing or have changed.\nInstall it again: gemini ' +
      'plugins install @acme/hello@1.1.0\n',
  });
  expect(await scene.gemini('plugins', 'rollback', '--to', '0')).toMatchObject({
    code: 0,
    stdout: 'Restored state 0:\n  @acme/hello: 1.0.0 -> not installed\n',
  });
  expect(await scene.gemini('plugins', 'rollback', '--to', '77')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no kept state 77 to restore.'),
  });
});

test('a damaged lock lets nothing load, is named, and is replaced by the one before it', async () => {
  await using scene = await withHello();
  scene.registry.publish({...hello, version: '1.1.0'});
  await installHere(scene, '@acme/hello@1.1.0');
  await writeFile(join(scene.data, 'plugins.lock.json'), '{"lockVersion": 1,');
  const listed = await scene.gemini('plugins', 'list');
  expect([listed.code, listed.stdout]).toEqual([
    0,
    expect.stringContaining('refused: Cannot read the lock of plugins'),
  ]);
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--yes')).toMatchObject({
    code: 52,
    stderr: expect.stringContaining('gemini plugins rollback brings the one before it back.'),
  });
  expect(await scene.gemini('plugins', 'rollback')).toMatchObject({
    code: 0,
    stdout: 'Restored state 1:\n  @acme/hello: not installed -> 1.0.0\n',
  });
  expect((await scene.lock())?.serial).toBe(2);
});

test.each<[string, string]>([
  ['one byte more in a dependency', 'left/package.json'],
  ['one byte more in the plugin', '@acme/hello/dist/tools/echo.js'],
])('%s keeps a plugin from loading, and verify names it', async (_, file) => {
  await using scene = await withHello();
  await appendFile(join(await treeOf(scene), file), ' ');
  const {code, stdout} = await scene.gemini('plugins', 'verify', '@acme/hello');
  expect([code, stdout]).toEqual([1, 'NOT as locked  @acme/hello 1.0.0\n  Its files differ from its lock.\n']);
  const tools = await scene.gemini('tools', 'list');
  expect(tools.stdout).not.toContain('acme_hello_echo');
  expect(tools.stderr).toContain('The plugin @acme/hello was left out: its files are not those the lock was made for');
  const listed = await scene.gemini('plugins', 'list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {
      name: '@acme/hello',
      version: '1.0.0',
      state: 'refused',
      scope: 'user',
      type: 'user',
      reason: expect.stringContaining('its files are not those'),
    },
  ]);
  await installHere(scene, '@acme/hello@^1');
  expect(await verifyHere(scene)).toEqual({'@acme/hello 1.0.0': []});
});

test('audit says of everything where it is from and who said yes, in a form that stays', async () => {
  await using scene = await withHello();
  const audit = JSON.parse((await scene.gemini('plugins', 'audit', '--json')).stdout) as object;
  expect(audit).toEqual({
    plugins: [
      {
        name: '@acme/hello',
        version: '1.0.0',
        scope: 'user',
        from: expect.stringContaining('(requested as ^1)'),
        source: {type: 'registry', registry: scene.registry.url, wanted: '^1'},
        integrity: expect.stringMatching(/^sha512-/),
        tree: expect.stringMatching(/^sha256-/),
        approved: {at: expect.any(String), by: '--yes'},
        capabilities: {declared: [], undeclared: [], isSameAsLocked: true, explained: []},
        did: {tier: 'off', uses: [], unused: []},
        replaces: [],
        contributions: {tools: 1, services: 0, listeners: 0, commands: 0, hooks: 0, flags: 0},
        dependencies: [
          {
            name: 'left',
            version: '1.0.0',
            place: 'node_modules/left',
            from: `${scene.registry.url}left/-/1.0.0.tgz`,
            integrity: expect.stringMatching(/^sha512-/),
          },
        ],
      },
    ],
  });
  const components = JSON.parse((await scene.gemini('plugins', 'audit', '--format', 'cyclonedx')).stdout) as {
    bomFormat: string;
    components: {purl: string}[];
  };
  expect([components.bomFormat, components.components.map(({purl}) => purl)]).toEqual([
    'CycloneDX',
    ['pkg:npm/%40acme/hello@1.0.0', 'pkg:npm/left@1.0.0'],
  ]);
});

test('inspect shows an installed plugin without a network, and another without installing it', async () => {
  await using scene = await withHello();
  scene.registry.publish({...hello, version: '1.5.0', manifest: {capabilities: ['model']}});
  const other = await scene.gemini('plugins', 'inspect', '@acme/hello@1.5.0');
  expect([other.code, other.stdout]).toEqual([
    0,
    expect.stringContaining('@acme/hello 1.5.0 (1.0.0 is installed)\n  new         it wants to ask the model\n'),
  ]);
  await scene.registry.close();
  expect(await scene.gemini('plugins', 'inspect', '@acme/hello', '--verbose')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  brings      node_modules/left 1.0.0, from http'),
  });
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
  expect((await scene.stored()).length).toBe(1);
});

test('a plugin that is not installed cannot be uninstalled or updated', async () => {
  await using scene = await withHello();
  expect(await scene.gemini('plugins', 'uninstall', 'nothing')).toEqual({
    code: 42,
    stdout: '',
    stderr: 'Error: nothing is not installed.\nInstalled: @acme/hello.\n',
  });
  expect(await scene.gemini('plugins', 'update', 'nothing')).toMatchObject({code: 42});
  expect(await scene.gemini('plugins', 'verify', 'nothing')).toMatchObject({code: 42});
  expect(await scene.gemini('plugins', 'uninstall')).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('No plugin was named'),
  });
});

test('reset asks, and leaves nothing with --hard', async () => {
  await using scene = await withHello();
  expect(await scene.gemini('plugins', 'reset')).toMatchObject({
    code: 1,
    stderr: 'Error: Nothing was uninstalled, because you did not confirm it.\nConfirm at a terminal, or use --yes.\n',
  });
  expect(await scene.gemini('plugins', 'reset', '--yes')).toMatchObject({
    code: 0,
    stdout: 'Installed: @acme/hello.\nUninstalled @acme/hello.\n',
  });
  expect((await scene.stored()).length).toBe(1);
  expect(await scene.gemini('plugins', 'reset', '--hard', '--yes')).toMatchObject({code: 0});
  expect(await scene.stored()).toEqual([]);
});

test('trees that no lock and no kept state names are removed, and those of a project stay', async () => {
  await using scene = await withHello();
  scene.registry.publish({name: 'shared', version: '1.0.0'});
  await scene.gemini('plugins', 'install', 'shared', '--project', '--yes');
  await mkdir(join(scene.store, 'left-by-someone'));
  await mkdir(join(scene.store, '.staging-999999999-x'));
  await scene.gemini('plugins', 'uninstall', '@acme/hello');
  await rm(join(scene.data, 'plugins.lock.history'), {recursive: true});
  await installHere(scene, 'shared');
  expect((await scene.stored()).map((name) => name.split('-')[0])).toEqual(['shared@1.0.0']);
  expect(JSON.parse(await readFile(join(scene.store, '.locks.json'), 'utf8'))).toEqual([
    join(scene.data, 'plugins.lock.json'),
    join(scene.project, '.gemini', 'plugins.lock.json'),
  ]);
});
