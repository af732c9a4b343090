import {existsSync} from 'node:fs';
import {lstat, mkdir, readdir, readFile, readlink, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {examine} from './examine.js';
import {fitPlugin, lendTypescript, makeEmptyScene, makeScene, type Scene} from './scene.js';

/** With --long, every kind is looked over by the program too; importing and packing it are measured then. */
const isLong = process.env['FUZZ_RUNS'] !== undefined;

/** A plugin is made, tested and looked over, with TypeScript from this checkout. */
async function makeAndTest(...kinds: readonly string[]): Promise<object> {
  await using scene = await makeEmptyScene();
  const {code} = await scene.gemini('plugins', 'create', '@acme/word-lists', '--no-install', ...kinds);
  const root = join(scene.root, 'word-lists');
  await lendTypescript(root);
  const tested = await scene.gemini('plugins', 'test', root, '--json');
  const findings = isLong || kinds.length > 1 ? await checkByProgram(scene, root) : await examine(root);
  return {code, tested: [tested.code, JSON.parse(tested.stdout)], findings, files: await listSources(root)};
}

async function checkByProgram(scene: Scene, root: string): Promise<unknown> {
  const {code, stdout} = await scene.gemini('plugins', 'check', root, '--strict', '--json');
  expect(code).toBe(0);
  return (JSON.parse(stdout) as {findings: unknown}).findings;
}

async function listSources(root: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'src'), {recursive: true});
  return entries
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

const counts = (passed: number): object => ({name: '@acme/word-lists', passed, failed: 0, skipped: 0});

/** In the short form only all of them at once. */
const kindsOfPlugins: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  ['a command', ['--command'], 1, ['commands/word-lists/count.ts', 'count-words.ts', 'errors.ts']],
  ['a listener, which refuses', ['--hook'], 2, ['listeners/tool-judge.ts']],
  ['a service', ['--service'], 1, ['contract.ts', 'count-words.ts', 'errors.ts', 'services/word-lists.ts']],
  [
    'a setting, with the tool that reads it',
    ['--setting'],
    4,
    ['count-words.ts', 'errors.ts', 'settings/limit.ts', 'tools/word-lists-count.ts'],
  ],
  [
    'all of them',
    ['--tool', '--command', '--hook', '--service', '--setting'],
    8,
    [
      'commands/word-lists/count.ts',
      'contract.ts',
      'count-words.ts',
      'errors.ts',
      'hooks/word-lists-counted.ts',
      'listeners/tool-judge.ts',
      'services/word-lists.ts',
      'settings/limit.ts',
      'tools/word-lists-count.ts',
    ],
  ],
];

test.each(kindsOfPlugins.filter(([, kinds]) => isLong || kinds.length > 1))(
  'what is made with %s passes its own tests and the strictest check',
  async (_, kinds, passed, files) => {
    expect(await makeAndTest(...kinds)).toEqual({code: 0, tested: [0, counts(passed)], findings: [], files});
  },
  60_000,
);

test(
  'with nothing asked for it is a tool; from nothing to the first green test it takes less than 20 seconds, npm ' +
    'install included',
  async () => {
    await using scene = await makeEmptyScene();
    const start = performance.now();
    const created = await scene.gemini('plugins', 'create', 'weather');
    const root = join(scene.root, 'gemini-plugin-weather');
    const tested = await scene.gemini('plugins', 'test', root, '--json');
    expect([created.code, created.stderr, JSON.parse(tested.stdout)]).toEqual([
      0,
      '',
      {name: 'gemini-plugin-weather', passed: 3, failed: 0, skipped: 0},
    ]);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect([await examine(root), await listSources(root)]).toEqual([
      [],
      ['count-words.ts', 'errors.ts', 'tools/weather-count.ts'],
    ]);
    expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain(
      'gemini-kernel/kernel",\n      "link"',
    );
  },
  60_000,
);

test('the judge that is made refuses its probe', async () => {
  await using scene = await makeEmptyScene();
  await scene.gemini('plugins', 'create', 'weather', '--hook', '--no-install');
  const root = join(scene.root, 'gemini-plugin-weather');
  await lendTypescript(root);
  expect(await scene.gemini('plugins', 'build', root)).toMatchObject({code: 0, stderr: ''});
  expect(await scene.gemini('plugins', 'link', root, '--yes')).toMatchObject({code: 0});
  const {guards} = JSON.parse((await scene.gemini('doctor', '--json')).stdout) as {readonly guards: readonly object[]};
  expect(guards).toContainEqual({
    plugin: 'gemini-plugin-weather',
    state: 'proven',
    reason: 'This file is generated. Change what it is made from.',
  });
});

test('programs get the files and what to do next', async () => {
  await using scene = await makeEmptyScene();
  const {code, stdout, stderr} = await scene.gemini(
    'plugins',
    'create',
    'weather',
    '--no-install',
    '--directory',
    'here',
    '--json',
  );
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    0,
    '',
    {
      name: 'gemini-plugin-weather',
      directory: join(scene.root, 'here'),
      files: [
        'package.json',
        'tsconfig.json',
        'README.md',
        '.gitignore',
        'src/count-words.ts',
        'src/errors.ts',
        'src/tools/weather-count.ts',
        'test/weather.test.js',
      ],
      installed: false,
      next: ['cd here', 'npm install', 'gemini plugins test', 'gemini plugins link .'],
    },
  ]);
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'a registry that is away',
    {npm_config_registry: 'http://127.0.0.1:1', npm_config_cache: 'cache'},
    /^Warning: typescript was not installed\. npm install ended with 1: .*ECONNREFUSED/,
  ],
  ['no npm', {PATH: '/'}, /^Warning: typescript was not installed\. npm is not on the PATH\.\n/],
])('the files stay when there is %s', async (_, variables, warning) => {
  await using scene = await makeEmptyScene();
  const {code, stdout, stderr} = await scene.geminiWith(variables, 'plugins', 'create', 'weather');
  expect([code, stderr]).toEqual([0, expect.stringMatching(warning)]);
  expect(stdout).toContain('\n  npm install\n  gemini plugins test\n');
  expect(existsSync(join(scene.root, 'gemini-plugin-weather', 'src', 'tools', 'weather-count.ts'))).toBe(true);
});

describe('PLUGIN_NAME_INVALID', () => {
  test.each([
    ['Weather', 'npm does not allow this name'],
    ['@acme', 'npm does not allow this name'],
    ['@gemini-kernel/weather', 'the scope @gemini-kernel is reserved'],
    ['@oclif/weather', 'the scope @oclif is reserved'],
    ['7', 'tools and commands cannot have this name'],
    ['../up', 'npm does not allow this name'],
  ])('%s', async (name, why) => {
    const {nameNewPlugin} = await import('#plugins/devkit/dist/new-plugin.js');
    expect(() => nameNewPlugin(name, new Set())).toThrow(
      expect.objectContaining({code: 'PLUGIN_NAME_INVALID', message: `Cannot name a plugin ${name}: ${why}.`}),
    );
  });

  test('ends the command before anything is written', async () => {
    await using scene = await makeEmptyScene();
    const {code, stderr} = await scene.gemini('plugins', 'create', '../up');
    expect([code, stderr.split('\n')[0], await readdir(scene.root)]).toEqual([
      42,
      'Error: Cannot name a plugin ../up: npm does not allow this name.',
      [],
    ]);
  });
});

test('PLUGIN_FOLDER_OCCUPIED: nothing is overwritten, but a repository that was just made is empty', async () => {
  await using scene = await makeEmptyScene();
  await scene.write({'taken/a.txt': '', 'fresh/.git/HEAD': ''});
  expect(await scene.gemini('plugins', 'create', 'weather', '--directory', 'taken', '--no-install')).toEqual({
    code: 42,
    stdout: '',
    stderr:
      `Error: Cannot create a plugin in ${join(scene.root, 'taken')}: it has a.txt already.\nChoose another folder with ` +
      `--directory. Existing files are never overwritten.\n`,
  });
  expect([
    await readdir(join(scene.root, 'taken')),
    (await scene.gemini('plugins', 'create', 'weather', '--directory', 'fresh', '--no-install')).code,
  ]).toEqual([['a.txt'], 0]);
});

describe('the kernel and oclif of the running program', () => {
  const links = (root: string): Promise<readonly string[]> =>
    Promise.all(['@gemini-kernel/kernel', '@oclif/core'].map((name) => readlink(join(root, 'node_modules', name))));
  const own = [join(checkout, 'kernel'), join(checkout, 'node_modules', '@oclif', 'core')].map((path) =>
    path.replace(/[\\/]$/, ''),
  );

  test('are lent again when they are missing, or lead somewhere else', async () => {
    await using scene = await makeScene(fitPlugin);
    const path = join(scene.root, 'node_modules', '@gemini-kernel', 'kernel');
    await rm(path, {recursive: true});
    await symlink(join(scene.root, 'gone'), path, 'junction');
    expect([(await scene.gemini('plugins', 'build')).code, await links(scene.root)]).toEqual([0, own]);
  });

  test('never take the place of a folder, or of what package.json asks for', async () => {
    await using scene = await makeScene(fitPlugin);
    const path = join(scene.root, 'node_modules', '@oclif', 'core');
    await mkdir(path, {recursive: true});
    await scene.gemini('plugins', 'build');
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
  });

  test('PACKAGE_UNLENT: what cannot be lent is said', async () => {
    await using scene = await makeScene(fitPlugin);
    await scene.remove('node_modules');
    await scene.write({'node_modules': 'a file'});
    const {code, stdout} = await scene.gemini('plugins', 'check', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        error: {
          code: 'PACKAGE_UNLENT',
          message: expect.stringContaining(
            `Cannot link this program's @gemini-kernel/kernel to ${join(scene.root, 'node_modules')}`,
          ),
        },
      },
    ]);
  });
});
