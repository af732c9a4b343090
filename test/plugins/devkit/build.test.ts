import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {fitPlugin, lendTypescript, makeScene, packageJson, toolCode} from './scene.js';

const kernel = (what: string, code: string): string =>
  `import {${what}} from '@gemini-kernel/kernel';\nexport default ${code};\n`;

test('the manifest says what every folder contributes [settings.declared]', async () => {
  await using scene = await makeScene({
    ...fitPlugin,
    'package.json': packageJson({
      gemini: {
        kernel: '^0.2.0',
        requires: {services: {workspace: '^1'}},
        capabilities: ['fs:read', 'net:*.example.org'],
        isolation: 'process',
        replaces: ['read_file'],
      },
    }),
    'dist/services/luck.js': kernel(
      'provide',
      "provide('luck', {version: '1.2.3', scope: 'place', methods: ['draw'], create: () => ({})})",
    ),
    'dist/hooks/luck-found.js': kernel(
      'defineHook',
      "defineHook('luck:found', {kind: 'collect', description: 'Luck.', answer: {type: 'string'}})",
    ),
    'dist/listeners/deep/judge.mjs': kernel(
      'listen',
      "listen('tool:judge', {filter: {tool: 'fit_*'}, after: ['x'], run() {}})",
    ),
    'dist/flags/lucky.js': kernel(
      'defineFlag',
      "defineFlag('lucky', {description: 'Be lucky.', type: 'boolean', setting: 'luck.on'})",
    ),
    'dist/settings/luck.js': kernel(
      'defineSettings',
      "defineSettings('luck', {on: {schema: {type: 'boolean'}, default: false, description: 'Luck.'}, key: {schema: " +
        "{type: 'string'}, secret: true, description: 'Its key.'}})",
    ),
    'dist/settings/most.js': kernel(
      'defineSetting',
      "defineSetting('fit.most', {schema: {type: 'integer', minimum: 1}, description: 'Most.', category: 'Luck'})",
    ),
    'dist/commands/luck/index.js':
      "import {KernelCommand} from '@gemini-kernel/command';\nexport default class extends KernelCommand { " +
      "static summary = 'Luck.'; static slash = true; static aliases = ['fortune']; }\n",
    'dist/errors.js': "export default {LUCK_LOST: {when: 'It is lost.', exit: 7}};\n",
  });
  await scene.remove('src');
  expect(await scene.gemini('plugins', 'build')).toEqual({
    code: 0,
    stdout: 'Built fit 1.0.0: 1 tool, 1 service, 1 hook, 1 listener, 1 command, 1 flag, 3 settings.\n',
    stderr: '',
  });
  expect(JSON.parse(await readFile(join(scene.root, 'gemini.plugin.json'), 'utf8'))).toEqual({
    manifestVersion: 1,
    name: 'fit',
    version: '1.0.0',
    description: 'Fit.',
    kernel: '^0.2.0',
    requires: {services: {workspace: '^1'}},
    capabilities: ['fs:read', 'net:*.example.org'],
    isolation: 'process',
    replaces: ['read_file'],
    tools: [
      {
        name: 'fit_echo',
        description: 'Echoes.',
        effect: 'read',
        annotations: {},
        input: {type: 'object', properties: {text: {type: 'string', description: 'Any text.'}}},
        module: './dist/tools/echo.js',
      },
    ],
    services: [{name: 'luck', version: '1.2.3', scope: 'place', methods: ['draw'], module: './dist/services/luck.js'}],
    hooks: [{name: 'luck:found', kind: 'collect', description: 'Luck.', answer: {type: 'string'}}],
    listeners: [{hook: 'tool:judge', filter: {tool: 'fit_*'}, after: ['x'], module: './dist/listeners/deep/judge.mjs'}],
    commands: [
      {id: 'luck', aliases: ['fortune'], summary: 'Luck.', slash: true, module: './dist/commands/luck/index.js'},
    ],
    flags: [{name: 'lucky', description: 'Be lucky.', type: 'boolean', setting: 'luck.on'}],
    settings: [
      {key: 'luck.on', schema: {type: 'boolean'}, default: false, description: 'Luck.'},
      {key: 'luck.key', schema: {type: 'string'}, secret: true, description: 'Its key.'},
      {key: 'fit.most', schema: {type: 'integer', minimum: 1}, description: 'Most.', category: 'Luck'},
    ],
    errors: {LUCK_LOST: {when: 'It is lost.', exit: 7}},
  });
  expect(
    Object.keys(
      (JSON.parse(await readFile(join(scene.root, 'oclif.manifest.json'), 'utf8')) as {commands: object}).commands,
    ),
  ).toEqual(['luck']);
});

test('a plugin is built from elsewhere, and counted for programs', async () => {
  await using scene = await makeScene(fitPlugin);
  const {code, stdout} = await scene.gemini('plugins', 'build', scene.root, '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {name: 'fit', contributions: {tools: 1, services: 0, hooks: 0, listeners: 0, commands: 0, flags: 0, settings: 0}},
  ]);
});

test('a compiled plugin with no contribution is built, and a warning names the folders that were searched', async () => {
  await using scene = await makeScene({'package.json': packageJson({}), 'dist/nothing.js': ''});
  expect(await scene.gemini('plugins', 'build')).toEqual({
    code: 0,
    stdout:
      'Built fit 1.0.0: no contributions.\nThere are no contributions in dist/tools, dist/services, dist/hooks, ' +
      'dist/listeners, dist/commands, dist/flags or dist/settings. Did you compile the plugin?\n',
    stderr: '',
  });
});

describe('BUILD_INVALID', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a package.json that is not JSON', {'package.json': '{'}, 'Error: Cannot read the package.json of <root>: '],
    [
      'a package that does not say which kernel it is for',
      {'package.json': packageJson({gemini: {}})},
      'Error: fit does not declare which kernel it supports.\n' +
        'Add "gemini": {"kernel": "^0.2.0"} to its package.json.\n',
    ],
    [
      'a range of kernels without this one',
      {...fitPlugin, 'package.json': packageJson({gemini: {kernel: '^9.0.0'}})},
      'Error: fit supports kernel ^9.0.0, but this is 0.',
    ],
    [
      'a range of kernels that is no range',
      {...fitPlugin, 'package.json': packageJson({gemini: {kernel: 'banana'}})},
      'Error: fit supports kernel banana',
    ],
    [
      'a contribution that throws when it is imported',
      {...fitPlugin, 'dist/tools/echo.js': "throw new Error('No database.');\n"},
      'Error: Cannot import ./dist/tools/echo.js: No database.\n',
    ],
    [
      'a plugin that was not compiled',
      {'package.json': packageJson({})},
      'Error: fit is not compiled: there is no folder dist.\nCompile it first, for example with npx tsc.\n',
    ],
    [
      'a tool file without a tool',
      {...fitPlugin, 'dist/tools/echo.js': 'export default {name: "fit_echo"};\n'},
      'Error: ./dist/tools/echo.js has no default export that is a tool.\nA file in src/tools/ exports one ' +
        'contribution: see docs/write-a-plugin.md.\n',
    ],
    [
      'a command file without a default export',
      {...fitPlugin, 'dist/commands/a.js': 'export const x = 1;\n'},
      'Error: ./dist/commands/a.js has no default export that is a command.\n',
    ],
    [
      'an unknown capability',
      {...fitPlugin, 'package.json': packageJson({gemini: {kernel: '^0.2.0', capabilities: ['fs:all']}})},
      'Error: Cannot build fit: manifest.capabilities.0 must match pattern',
    ],
    [
      'a name that no tool may have',
      {...fitPlugin, 'dist/tools/echo.js': toolCode({name: 'fit echo'})},
      'Error: Cannot build fit: manifest.tools.0.name must match pattern',
    ],
    [
      'a gate without a default answer',
      {...fitPlugin, 'dist/hooks/a.js': kernel('defineHook', "defineHook('a:b', {kind: 'gate', description: 'A.'})")},
      'Error: Cannot build fit: manifest.hooks.0 lacks "unanswered".',
    ],
  ])('%s', async (_, files, message) => {
    await using scene = await makeScene(files);
    const {code, stdout, stderr} = await scene.gemini('plugins', 'build');
    expect({code, stdout, stderr: stderr.replaceAll(scene.root, '<root>')}).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022'],
    types: [],
    strict: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
});
const source = toolCode({}).replace('async ({text})', 'async ({text}: {text: string})');

test('TypeScript is compiled first, and what it says of an error is shown', async () => {
  await using scene = await makeScene({
    'package.json': packageJson({}),
    'tsconfig.json': tsconfig,
    'src/tools/echo.ts': source,
  });
  await lendTypescript(scene.root);
  expect(await scene.gemini('plugins', 'build')).toEqual({code: 0, stdout: 'Built fit 1.0.0: 1 tool.\n', stderr: ''});
  await scene.write({'src/tools/echo.ts': `${source}const count: number = 'one';\n`});
  expect(await scene.gemini('plugins', 'build')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `Error: The code of ${scene.root} does not compile: 1 error.\nsrc/tools/echo.ts(3,7): error TS2322: Type ` +
      `'string' is not assignable to type 'number'.\n`,
  });
  expect(JSON.parse((await scene.gemini('plugins', 'build', '--json')).stdout)).toMatchObject({
    error: {code: 'CODE_UNCOMPILED', exit: 1},
  });
  expect((await scene.gemini('plugins', 'build', '--no-compile')).stdout).toBe('Built fit 1.0.0: 1 tool.\n');
  // What does not compile leaves nothing that could be built later.
  expect(await readFile(join(scene.root, 'dist', 'tools', 'echo.js'), 'utf8')).not.toContain('count');
});

test('what was compiled from a source that is renamed is removed', async () => {
  await using scene = await makeScene({
    'package.json': packageJson({}),
    'tsconfig.json': tsconfig,
    'src/tools/echo.ts': source,
  });
  await lendTypescript(scene.root);
  await scene.gemini('plugins', 'build');
  await scene.remove('src/tools/echo.ts');
  await scene.write({'src/tools/mirror.ts': source});
  expect(await scene.gemini('plugins', 'build')).toEqual({
    code: 0,
    stdout: 'Built fit 1.0.0: 1 tool.\nRemoved dist/tools/echo.js, which has no source.\n',
    stderr: '',
  });
  await expect(readFile(join(scene.root, 'dist', 'tools', 'echo.js'))).rejects.toMatchObject({code: 'ENOENT'});
});

test('what was compiled elsewhere from a source that is gone is removed too, and is not packed', async () => {
  await using scene = await makeScene({
    ...fitPlugin,
    'tsconfig.json': tsconfig,
    'src/tools/mirror.ts': source,
    'dist/tools/mirror.js': toolCode({name: 'fit_mirror'}),
    'dist/tools/echo.d.ts': 'export {};\n',
  });
  await scene.remove('src/tools/echo.ts');
  expect(await scene.gemini('plugins', 'build', '--no-compile')).toMatchObject({
    code: 0,
    stdout: 'Built fit 1.0.0: 1 tool.\nRemoved dist/tools/echo.js, which has no source.\n',
  });
  expect(await readdir(join(scene.root, 'dist', 'tools'))).toEqual(['mirror.js']);
  const packed = JSON.parse((await scene.gemini('plugins', 'pack', '--json')).stdout) as {files: readonly string[]};
  expect(packed.files.filter((path) => path.startsWith('dist/tools/'))).toEqual(['dist/tools/mirror.js']);
});

test('a contribution whose source is gone is named where nothing says that it was compiled', async () => {
  await using scene = await makeScene(fitPlugin);
  await scene.remove('src/tools/echo.ts');
  expect((await scene.gemini('plugins', 'build')).stdout).toBe(
    'Built fit 1.0.0: 1 tool.\ndist/tools/echo.js has no source in src. Remove the file, or all of dist, and ' +
      'compile again.\n',
  );
});

const setting = (key: string, spec: string): string => kernel('defineSetting', `defineSetting('${key}', ${spec})`);
const text = "{schema: {type: 'string'}, description: 'Text.'}";

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'a default that its own schema refuses',
    {'dist/settings/a.js': setting('fit.a', "{schema: {type: 'string'}, default: 5, description: 'Text.'}")},
    'Cannot build fit: The default of fit.a must be string, not 5.',
  ],
  [
    'no description',
    {'dist/settings/a.js': setting('fit.a', "{schema: {type: 'string'}}")},
    'Cannot build fit: manifest.settings.0 lacks "description".',
  ],
  [
    'a key without a section',
    {'dist/settings/a.js': setting('fit', text)},
    'Cannot build fit: manifest.settings.0.key must match pattern ' +
      '"^[a-zA-Z][a-zA-Z0-9]*(\\.[a-zA-Z][a-zA-Z0-9]*)+$", not "fit".',
  ],
  [
    'a keyword that no start checks',
    {'dist/settings/a.js': setting('fit.a', "{schema: {type: 'string', format: 'uri'}, description: 'Text.'}")},
    'Cannot build fit: manifest.settings.0.schema has an unknown key "format".',
  ],
  [
    'a secret that is no text',
    {'dist/settings/a.js': setting('fit.a', "{schema: {type: 'object'}, secret: true, description: 'Text.'}")},
    'Cannot build fit: The setting fit.a is secret, but its schema does not have the type string.',
  ],
  [
    'a key that lies within another of its own',
    {'dist/settings/a.js': setting('fit.a', text), 'dist/settings/b.js': setting('fit.a.b', text)},
    './dist/settings/b.js declares the setting fit.a.b, but ./dist/settings/a.js declares fit.a.',
  ],
])('a setting with %s is not built [settings.built]', async (_, files, sentence) => {
  await using scene = await makeScene({...fitPlugin, ...files});
  const {code, stdout, stderr} = await scene.gemini('plugins', 'build');
  expect({code, stdout, first: stderr.split('\n')[0]}).toEqual({code: 1, stdout: '', first: `Error: ${sentence}`});
});
