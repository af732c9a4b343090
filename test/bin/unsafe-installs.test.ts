import {chmod, mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {dataFolder, installPlugins} from '../helpers/install-plugins.js';
import {makeFolder} from '../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';
import {onPosix} from '../helpers/where.js';

interface Scene extends AsyncDisposable {
  readonly home: string;
  readonly data: string;
  gemini(...argv: readonly string[]): Promise<RunResult>;
}

/** A home with the plugin `good`, which has been used once, so that all that is kept is there. */
async function makeScene(): Promise<Scene> {
  const folder = await makeFolder();
  const home = folder.path;
  await installPlugins(home, {present: ['good']});
  await mkdir(join(dataFolder(home), 'bundles'), {mode: 0o700});
  await writeFile(join(dataFolder(home), 'bundles', 'memory.json'), '{"applied": {}, "keys": {}}');
  const gemini: Scene['gemini'] = (...argv) => runGemini(argv, {cwd: home, home});
  await gemini('good', 'hello');
  return {home, data: dataFolder(home), gemini, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()};
}

onPosix.each([
  '.',
  'plugins.lock.json',
  'store',
  'bundles',
  'bundles/memory.json',
  'catalog.json',
  'commands.json',
  '../../../.cache/gemini/trees',
])('what everyone may write at %s loads no installed code, and says how to repair it [files.writers]', async (name) => {
  await using scene = await makeScene();
  const path = join(scene.data, name);
  await chmod(path, 0o777);
  const refused = await scene.gemini('good', 'hello');
  const named = await scene.gemini('good', 'hello', '--json');
  const help = await scene.gemini('plugins', 'list');
  expect(refused).toEqual({
    code: 52,
    stdout: '',
    stderr:
      `Error: What is installed does not load, as others may have changed it: ${path}: it can be written by ` +
      `everyone.\nLook at what is there, then run: chmod o-w ${path}\n`,
  });
  expect(JSON.parse(named.stdout)).toMatchObject({error: {code: 'INSTALLS_UNRELIABLE', exit: 52}});
  expect([help.code, help.stderr]).toEqual([0, expect.stringContaining(`chmod o-w ${path}`)]);
  await chmod(path, name.includes('.json') ? 0o600 : 0o700);
  expect(await scene.gemini('good', 'hello')).toEqual({code: 0, stdout: 'Hello from the good plugin.\n', stderr: ''});
});

test.each([
  ['a lock that is not JSON', 'plugins.lock.json', 'rollback brings'],
  ['a bundle that does not verify', 'bundles/mine/bundle.lock.json', 'gemini bundle remove mine'],
])('%s may have held a guard, so a prompt does not run [files.writers]', async (_, name, hint) => {
  await using scene = await makeScene();
  const path = join(scene.data, name);
  await mkdir(join(path, '..'), {recursive: true});
  await writeFile(path, '{');
  const {code, stdout, stderr} = await scene.gemini('-p', 'go');
  expect({code, stdout, lines: stderr.trim().split('\n').length}).toEqual({code: 52, stdout: '', lines: 2});
  expect(stderr).toContain(hint);
  expect((await scene.gemini('doctor')).stderr).toContain(hint);
});

test('a lock that is a folder is named, and nothing waits for it [files.bounded]', async () => {
  await using scene = await makeScene();
  await rm(join(scene.data, 'plugins.lock.json'));
  await mkdir(join(scene.data, 'plugins.lock.json'));
  expect(await scene.gemini('directory', 'show')).toMatchObject({
    code: 52,
    stderr: expect.stringContaining('it is a directory, not a file.'),
  });
});
