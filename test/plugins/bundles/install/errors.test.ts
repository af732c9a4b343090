import {mkdir, writeFile} from 'node:fs/promises';
import {expect, test} from '@jest/globals';
import {installHere, makeInstallScene, type InstallScene} from './scene.js';
import errors from '#plugins/bundles/dist/errors.js';

const exits: Readonly<Record<string, {readonly when: string; readonly exit?: number}>> = errors;
const hello = {name: '@acme/hello', version: '1.0.0'};

async function installHello(scene: InstallScene): Promise<void> {
  scene.registry.publish(hello);
  await installHere(scene, '@acme/hello');
}

const cases: readonly (readonly [string, number, (scene: InstallScene) => Promise<unknown>, readonly string[]])[] = [
  [
    'INSTALL_CHANGED',
    1,
    async (scene) => {
      await installHello(scene);
      scene.registry.publish({...hello, files: {'more.js': 'more'}});
    },
    ['install', '@acme/hello'],
  ],
  [
    'INSTALL_DOWNGRADED',
    1,
    async (scene) => {
      scene.registry.publish({...hello, version: '2.0.0'});
      await installHere(scene, '@acme/hello');
      scene.registry.publish(hello);
    },
    ['install', '@acme/hello'],
  ],
  [
    'INSTALL_INCOMPLETE',
    1,
    async (scene) => scene.registry.publish({...hello, pack: {dependencies: {nowhere: '^1'}}}),
    ['install', '@acme/hello'],
  ],
  [
    'INSTALL_INCOMPLETE',
    1,
    async (scene) => {
      await mkdir(`${scene.folder}/local`);
      await writeFile(`${scene.folder}/local/package.json`, '{"name": "local", "version": "1.0.0"}');
      scene.registry.publish({...hello, pack: {dependencies: {local: `file:${scene.folder}/local`}}});
    },
    ['install', '@acme/hello'],
  ],
  [
    'INSTALL_LOOKALIKE',
    1,
    async (scene) => {
      await installHello(scene);
      scene.registry.publish({name: '@acme/helo', version: '1.0.0'});
    },
    ['install', '@acme/helo'],
  ],
  ['INSTALL_MISSING', 1, async (scene) => scene.registry.publish(hello), ['install', '@acme/hello@^7']],
  ['INSTALL_MISSING', 1, async () => undefined, ['install', './nowhere.tgz']],
  ['INSTALL_UNAUTHORISED', 1, async (scene) => scene.registry.protect('secret'), ['install', '@acme/hello']],
  ['INSTALL_UNREACHABLE', 1, async () => undefined, ['install', '@acme/hello', '--registry', 'http://127.0.0.1:9/']],
  [
    'INSTALL_UNREACHABLE',
    1,
    async (scene) =>
      writeFile(`${scene.home}/.npmrc`, '_auth=old\n').then(() => scene.registry.misbehave(/hello/, 500)),
    ['install', '@acme/hello'],
  ],
  [
    'INSTALL_UNWRITABLE',
    1,
    async (scene) => {
      scene.registry.publish(hello);
      await mkdir(scene.data, {recursive: true});
      await writeFile(scene.store, 'in the way');
    },
    ['install', '@acme/hello'],
  ],
  ['PLUGIN_NOT_INSTALLED', 42, async () => undefined, ['uninstall', '@acme/hello']],
  ['PLUGIN_UNFIT', 1, async (scene) => scene.registry.publish({...hello, manifest: null}), ['install', '@acme/hello']],
  ['ROLLBACK_IMPOSSIBLE', 1, async () => undefined, ['rollback']],
];

/** One of each kind is seen through the program; all of them with --long. */
const isSeen = ([code, , , words]: (typeof cases)[number]): boolean =>
  process.env['FUZZ_RUNS'] !== undefined ||
  words.length !== 2 ||
  ['PLUGIN_NOT_INSTALLED', 'PLUGIN_UNFIT'].includes(code);

test.each(cases.filter(isSeen))(
  '%s ends a command with %i, and a program reads its code',
  async (code, exit, prepare, words) => {
    await using scene = await makeInstallScene();
    await prepare(scene);
    const more = words[0] === 'install' ? ['--yes'] : [];
    const ended = await scene.gemini('plugins', ...words, ...more, '--json');
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
      exit,
      {error: expect.objectContaining({type: 'KernelError', code, exit})},
    ]);
  },
);

test.each(cases.filter((one) => !isSeen(one)))(
  '%s is what an installation ends with, and stands for %i',
  async (code, exit, prepare, [, spec = '']) => {
    await using scene = await makeInstallScene();
    await prepare(scene);
    await expect(installHere(scene, spec)).rejects.toMatchObject({code});
    expect(exits[code]?.exit ?? 1).toBe(exit);
  },
);

test('INSTALL_PROGRAM_MISSING names the program that is missing', async () => {
  await using scene = await makeInstallScene();
  const ended = await scene.geminiWith(
    {variables: {PATH: '/nowhere'}},
    'plugins',
    'install',
    'git+https://example.com/acme/hello.git',
    '--yes',
    '--json',
  );
  expect(JSON.parse(ended.stdout)).toEqual({
    error: {
      type: 'KernelError',
      code: 'INSTALL_PROGRAM_MISSING',
      exit: 1,
      message: 'This installation needs git, which is not in any folder of PATH.',
      hint: 'Install git, then try again.',
    },
  });
});
