import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {access, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {packPackage, pluginFiles} from '../../../helpers/registry.js';
import {installHere, makeInstallScene, verifyHere} from './scene.js';

const hello = {name: '@acme/hello', version: '1.0.0'};

test('a plugin from a registry is shown, agreed to, locked and loaded', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({...hello, manifest: {capabilities: ['net:api.example.com', 'fs:read']}});
  const {code, stdout, stderr} = await scene.gemini('plugins', 'install', '@acme/hello@^1', '--yes');
  const host = new URL(scene.registry.url).host;
  expect({
    code,
    stderr,
    stdout: stdout
      .replace(/(published\s+).*/, '$1then')
      .replace(/\d+ bytes/, 'N bytes')
      .replaceAll(host, 'host'),
  }).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      '@acme/hello 1.0.0',
      '  wants to    connect to api.example.com; read files',
      '  at worst    It sends everything that it can read to api.example.com.',
      '  at worst    It reads every file of the workspace, also what is secret there.',
      '  held by     nothing: it runs in the process of gemini, and can do everything that you can (see ' +
        'security.pluginIsolation)',
      '  adds        tools acme_hello_echo',
      '  from        the registry host (requested as ^1)',
      '  published   then',
      '  signed by   no one',
      '  size        4 files, N bytes, no dependencies',
      'Installed @acme/hello 1.0.0.',
      '',
    ].join('\n'),
  });
  expect(await scene.lock()).toEqual({
    lockVersion: 1,
    serial: 1,
    plugins: {
      '@acme/hello': {
        version: '1.0.0',
        source: {type: 'registry', registry: scene.registry.url, wanted: '^1'},
        capabilities: ['net:api.example.com', 'fs:read'],
        integrity: expect.stringMatching(/^sha512-/),
        tree: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
        approved: {at: expect.any(String), by: '--yes'},
      },
    },
  });
  expect((await scene.gemini('tools', 'list')).stdout).toContain('acme_hello_echo');
  expect((await scene.gemini('tools', 'call', 'acme_hello_echo', '--approval-mode', 'yolo')).stdout).toContain(
    '@acme/hello 1.0.0',
  );
});

test('without a terminal and --yes nothing is installed, and the output shows what would be', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  const {code, stdout, stderr} = await scene.gemini('plugins', 'install', '@acme/hello');
  expect({code, stderr}).toEqual({
    code: 1,
    stderr:
      'Error: @acme/hello 1.0.0 was not installed, because there is no terminal to ask for your ' +
      'consent.\nCheck it with `gemini plugins inspect`, then install it with --yes or at a terminal.\n',
  });
  expect(stdout).toContain('  adds        tools acme_hello_echo\n');
  expect([await scene.lock(), await scene.stored()]).toEqual([undefined, []]);
});

test('a program is answered with an object', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  const refused = await scene.gemini('plugins', 'add', '@acme/hello', '--json');
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
    1,
    {
      error: {
        type: 'KernelError',
        code: 'INSTALL_UNCONFIRMED',
        exit: 1,
        message: expect.any(String),
        hint: expect.any(String),
      },
    },
  ]);
  const done = await scene.gemini('plugins', 'add', '@acme/hello', '--yes', '--json');
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    0,
    {plugins: [{name: '@acme/hello', version: '1.0.0', changed: true, capabilities: []}]},
  ]);
  const again = await scene.gemini('plugins', 'install', '@acme/hello', '--json');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    0,
    {plugins: [{name: '@acme/hello', version: '1.0.0', changed: false, capabilities: []}]},
  ]);
  expect((await scene.lock())?.serial).toBe(1);
});

test('a scoped registry and its token come from the .npmrc of the person', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  scene.registry.protect('secret');
  const variables = {npm_config_registry: 'http://127.0.0.1:9/'};
  await writeFile(join(scene.home, '.npmrc'), `@acme:registry=${scene.registry.url}\n`);
  const stranger = await scene.geminiWith({variables}, 'plugins', 'install', '@acme/hello', '--yes');
  expect([stranger.code, stranger.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Error: Cannot get @acme\/hello from 127\.0\.0\.1:\d+: it requires a login \(401\)\.\nLog in with npm login --registry /,
    ),
  ]);
  const {host} = new URL(scene.registry.url);
  await writeFile(join(scene.home, '.npmrc'), `@acme:registry=${scene.registry.url}\n//${host}/:_authToken=secret\n`);
  expect(await scene.geminiWith({variables}, 'plugins', 'install', '@acme/hello', '--yes')).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(JSON.stringify(await scene.lock())).not.toContain('secret');
});

test('the .npmrc of a folder says nothing about what a person installs for themselves', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await scene.write({
    '.npmrc': 'registry=http://127.0.0.1:9/\n@acme:registry=http://127.0.0.1:9/\n',
    'package.json': '{}',
  });
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--yes')).toMatchObject({code: 0});
});

test('the .npmrc of a project counts for what the project wants, once the folder is trusted', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await scene.write({'.npmrc': `@acme:registry=${scene.registry.url}\n`, 'package.json': '{}'});
  const variables = {npm_config_registry: 'http://127.0.0.1:9/'};
  const stranger = await scene.geminiWith(
    {variables: {...variables, GEMINI_CLI_TRUST_WORKSPACE: 'false'}},
    'plugins',
    'install',
    '@acme/hello',
    '--project',
    '--yes',
  );
  expect(stranger).toMatchObject({code: 1, stderr: expect.stringContaining('Cannot get @acme/hello from 127.0.0.1:9')});
  expect(await scene.geminiWith({variables}, 'plugins', 'install', '@acme/hello', '--project', '--yes')).toMatchObject({
    code: 0,
  });
});

test('dependencies are fetched, held against their digests and locked, and no script of anybody runs', async () => {
  await using scene = await makeInstallScene();
  const ran = join(scene.folder, 'ran');
  const scripts = {
    preinstall: `touch ${ran}`,
    install: `touch ${ran}`,
    postinstall: `touch ${ran}`,
    prepare: `touch ${ran}`,
  };
  scene.registry.publish({name: 'left', version: '2.0.0', manifest: null, pack: {scripts, hasInstallScript: true}});
  scene.registry.publish({name: 'right', version: '1.0.0', manifest: null, pack: {dependencies: {left: '^2'}}});
  scene.registry.publish({name: 'other-machine', version: '1.0.0', manifest: null, pack: {os: ['aix']}});
  scene.registry.publish({
    name: 'deep',
    version: '1.0.0',
    pack: {
      scripts,
      dependencies: {right: '^1'},
      optionalDependencies: {'other-machine': '^1'},
      devDependencies: {never: '1'},
      peerDependencies: {'@oclif/core': '^4', '@gemini-kernel/kernel': '^0.2.0'},
    },
  });
  const {code, stdout, stderr} = await scene.gemini('plugins', 'install', 'deep', '--yes');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toContain('2 dependencies\n');
  expect(stdout).toContain(
    '  not run     the install scripts of deep (preinstall), deep (install), deep (postinstall), deep (prepare), ' +
      'left 2.0.0\n',
  );
  const locked = (await scene.lock())?.plugins['deep'];
  expect(
    Object.fromEntries(Object.entries(locked?.dependencies ?? {}).map(([place, {version}]) => [place, version])),
  ).toEqual({'node_modules/left': '2.0.0', 'node_modules/right': '1.0.0'});
  expect(
    Object.values(locked?.dependencies ?? {}).every(
      ({integrity, resolved}) => integrity?.startsWith('sha512-') && resolved?.startsWith(scene.registry.url),
    ),
  ).toBe(true);
  await expect(access(ran)).rejects.toThrow('ENOENT');
  expect(await verifyHere(scene)).toEqual({'deep 1.0.0': []});
});

test('many dependencies are fetched at once without a warning of Node', async () => {
  await using scene = await makeInstallScene();
  const names = Array.from({length: 24}, (_, index) => `part-${index}`);
  const files = {data: randomBytes(400_000)};
  for (const name of names) scene.registry.publish({name, version: '1.0.0', manifest: null, files});
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  scene.registry.publish({...hello, pack: {dependencies}});
  const {code, stderr} = await scene.gemini('plugins', 'install', '@acme/hello', '--yes');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
});

test('a dependency whose bytes are not those that its registry named is not installed', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'left', version: '2.0.0', manifest: null});
  scene.registry.publish({name: 'deep', version: '1.0.0', pack: {dependencies: {left: '^2'}}});
  scene.registry.misbehave(/left\/-/, 'swap');
  const {code, stderr} = await scene.gemini('plugins', 'install', 'deep', '--yes');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: The archive of left 2\.0\.0 does not match the lock: expected sha512-/),
  ]);
  expect([await scene.lock(), await scene.stored()]).toEqual([undefined, []]);
});

test('an archive, a folder and a repository are installed from where they are', async () => {
  await using scene = await makeInstallScene();
  const parts = {name: 'local', version: '1.0.0', pack: {scripts: {prepack: 'exit 1', prepare: 'exit 1'}}};
  await scene.write({'out/local-1.0.0.tgz': packPackage(parts)});
  const dead = {npm_config_registry: 'http://127.0.0.1:9/'};
  expect(await scene.geminiWith({variables: dead}, 'plugins', 'install', 'out/local-1.0.0.tgz', '--yes')).toMatchObject(
    {code: 0, stderr: ''},
  );
  expect((await scene.lock())?.plugins['local']?.source).toEqual({
    type: 'tarball',
    location: join(scene.project, 'out', 'local-1.0.0.tgz'),
  });
  await scene.write(
    Object.fromEntries(Object.entries(pluginFiles(parts)).map(([path, content]) => [`local/${path}`, content])),
  );
  expect(await scene.geminiWith({variables: dead}, 'plugins', 'install', './local', '--yes')).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect((await scene.lock())?.plugins['local']?.source).toEqual({
    type: 'folder',
    location: join(scene.project, 'local'),
  });
});

test('a commit of a repository is installed as it is there, by the tag that fits, and no script of it runs', async () => {
  await using scene = await makeInstallScene();
  const ran = join(scene.folder, 'ran');
  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args],
      {cwd: join(scene.project, 'repo'), encoding: 'utf8', env: {...process.env, GIT_CONFIG_GLOBAL: '/dev/null'}},
    ).trim();
  const commit = async (version: string): Promise<string> => {
    const files = pluginFiles({
      name: 'gitty',
      version,
      pack: {scripts: {prepare: `touch ${ran}`, prepack: `touch ${ran}`}},
    });
    await scene.write(Object.fromEntries(Object.entries(files).map(([path, content]) => [`repo/${path}`, content])));
    if (version === '1.0.0') git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message', version);
    git('tag', `v${version}`);
    return git('rev-parse', 'HEAD');
  };
  const first = await commit('1.0.0');
  const second = await commit('1.1.0');
  await commit('2.0.0');
  const location = `file://${join(scene.project, 'repo')}`;
  expect(await scene.gemini('plugins', 'install', `git+${location}#semver:^1`, '--yes')).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect((await scene.lock())?.plugins['gitty']).toMatchObject({
    version: '1.1.0',
    source: {type: 'git', location, commit: second, wanted: 'semver:^1'},
  });
  await installHere(scene, `git+${location}#${first}`);
  expect((await scene.lock())?.plugins['gitty']).toMatchObject({
    version: '1.0.0',
    source: {type: 'git', location, commit: first, wanted: first},
  });
  await expect(installHere(scene, `git+${location}-gone`)).rejects.toMatchObject({
    message: expect.stringContaining('Cannot get file://'),
  });
  await expect(access(ran)).rejects.toThrow('ENOENT');
});

test('what is no plugin of this program leaves nothing behind', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'stranger', version: '1.0.0', manifest: null});
  expect(await scene.gemini('plugins', 'install', 'stranger', '--yes')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: stranger 1.0.0 cannot be installed as a plugin: it has no gemini.plugin.json.\nIts author ' +
      'has to run `gemini plugins build` before `npm pack`.\n',
  });
  expect([await scene.lock(), await scene.stored()]).toEqual([undefined, []]);
});

test.each<[string, Parameters<Awaited<ReturnType<typeof makeInstallScene>>['registry']['publish']>[0], string]>([
  [
    'says it is another',
    {name: 'odd', version: '1.0.0', manifest: {name: 'even'}},
    'its manifest says it is even 1.0.0',
  ],
  [
    'is for a later kernel',
    {name: 'odd', version: '1.0.0', manifest: {kernel: '^9'}},
    'it needs kernel ^9, this is 0.2.0',
  ],
  [
    'has a manifest that does not follow the schema',
    {name: 'odd', version: '1.0.0', manifest: {tools: 'many' as never}},
    'is not a valid plugin manifest',
  ],
  [
    'adds a tool that is there',
    {
      name: 'odd',
      version: '1.0.0',
      manifest: {
        tools: [
          {
            name: 'read_file',
            description: 'Reads.',
            effect: 'read',
            annotations: {},
            input: {type: 'object'},
            module: './dist/tools/echo.js',
          },
        ],
      },
    },
    'its tool read_file is already provided by @gemini-kernel/plugin-filesystem',
  ],
  [
    'needs a service that is not there',
    {name: 'odd', version: '1.0.0', manifest: {requires: {services: {nowhere: '^1'}}}},
    'it needs the service nowhere ^1, which no plugin provides',
  ],
])('a package that %s is refused before anybody is asked', async (_, parts, reason) => {
  await using scene = await makeInstallScene();
  scene.registry.publish(parts);
  // What the product provides, the program knows.
  if (!/provide/.test(reason))
    await expect(installHere(scene, 'odd')).rejects.toMatchObject({message: expect.stringContaining(reason)});
  else
    expect(await scene.gemini('plugins', 'install', 'odd', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(reason),
    });
  expect(await scene.stored()).toEqual([]);
});

test('a plugin that replaces a built-in tool is agreed to by the name of the tool, and that is locked', async () => {
  await using scene = await makeInstallScene();
  const tool = {
    name: 'read_file',
    description: 'Reads.',
    effect: 'read' as const,
    annotations: {},
    input: {type: 'object'},
    module: './dist/tools/echo.js',
  };
  scene.registry.publish({
    name: 'reader',
    version: '1.0.0',
    manifest: {tools: [tool], replaces: ['read_file'], capabilities: ['fs:read']},
  });
  const {code, stdout} = await scene.gemini('plugins', 'install', 'reader', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining('  replaces    the built-in tool read_file\n')]);
  expect((await scene.lock())?.plugins['reader']?.replaces).toEqual(['read_file']);
});

test('an older version than the installed one is installed only on request', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({...hello, version: '2.0.0'});
  await installHere(scene, '@acme/hello');
  scene.registry.publish(hello);
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--yes')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: @acme/hello 1.0.0 is older than the installed 2.0.0.\nTo downgrade, run gemini plugins ' +
      'install @acme/hello@1.0.0, or use --force.\n',
  });
  expect(await scene.gemini('plugins', 'install', '@acme/hello@1.0.0', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Installed @acme/hello 1.0.0, replacing 2.0.0.'),
  });
});

test('a name that looks like that of another plugin is refused without a terminal', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  scene.registry.publish({name: '@acme/he1lo', version: '1.0.0'});
  await installHere(scene, '@acme/hello');
  expect(await scene.gemini('plugins', 'install', '@acme/he1lo', '--yes')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: @acme/he1lo looks like @acme/hello, which is another plugin.\nIf you want @acme/he1lo, ' +
      'install it at a terminal or with --force.\n',
  });
  expect(await scene.gemini('plugins', 'install', '@acme/he1lo', '--yes', '--force')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  WARNING     its name looks like @acme/hello, which is another plugin\n'),
  });
});

test('a version whose archive is not the one that was agreed to is not taken again', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await installHere(scene, '@acme/hello');
  const before = await scene.lock();
  scene.registry.publish({...hello, files: {'more.js': 'more'}});
  const {code, stderr} = await scene.gemini('plugins', 'install', '@acme/hello', '--yes');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: The archive of @acme\/hello 1\.0\.0 does not match the lock: expected sha512-/),
  ]);
  expect(await scene.lock()).toEqual(before);
});

test('a project wants plugins by its lock, and another person gets them byte for byte', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'left', version: '2.0.0', manifest: null});
  scene.registry.publish({...hello, pack: {dependencies: {left: '^2'}}});
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--project', '--yes')).toMatchObject({code: 0});
  expect(await scene.lock()).toBeUndefined();
  const path = join(scene.project, '.gemini', 'plugins.lock.json');
  const text = await readFile(path, 'utf8');
  scene.registry.publish({...hello, version: '1.1.0'});
  scene.registry.publish({name: 'left', version: '2.1.0', manifest: null});
  const home = join(scene.folder, 'colleague');
  await mkdir(home);
  expect(await scene.geminiWith({home}, 'plugins', 'list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'refused: the project wants it, and it is not installed; run gemini plugins install',
    ),
  });
  expect(await scene.geminiWith({home}, 'plugins', 'install', '--project', '--frozen', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Installed @acme/hello 1.0.0.\n'),
  });
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(await scene.geminiWith({home}, 'plugins', 'install', '--project', '--frozen', '--yes')).toMatchObject({
    code: 0,
    stdout: '@acme/hello 1.0.0 is already installed.\n',
  });
  scene.registry.misbehave(/left\/-/, 'swap');
  const other = join(scene.folder, 'third');
  await mkdir(other);
  expect(
    await scene.geminiWith(
      {home: other, variables: {npm_config_cache: join(other, 'cache')}},
      'plugins',
      'install',
      '--project',
      '--frozen',
      '--yes',
    ),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The archive of left 2.0.0 does not match the lock'),
  });
});

test('--frozen adds nothing to a lock', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  expect(await scene.gemini('plugins', 'install', '@acme/hello', '--frozen', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('@acme/hello cannot be added to a frozen lock.'),
  });
});
