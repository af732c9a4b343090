import {execFileSync} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {pluginFiles} from '../../../helpers/registry.js';
import {installerUnder, makeInstallScene, yes, type InstallScene} from '../install/scene.js';
import {installPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';

const blocked = {sources: {blocked: [{type: '*' as const, host: 'git.example'}]}};

async function install(scene: InstallScene, spec: string): Promise<unknown> {
  return installPlugin(await installerUnder(scene, blocked), {
    wanted: parseSpec(spec, scene.project),
    consent: yes,
    force: false,
  });
}

test.each([
  'git+ssh://git@git%2eexample/e/x.git',
  'git@[git.example]:e/x.git',
  '[git@git.example]:e/x.git',
  'git+ssh://git@git.example:022/e/x.git',
  'git://git.example:9418/e/x.git',
])('%s is blocked like the host it leads to', async (spec) => {
  await using scene = await makeInstallScene();
  await expect(install(scene, spec)).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('the administrator blocks its source'),
  });
});

test.each(['https://git.example/%ff/x.tgz', 'git+ssh://git@git.example/e/%ff', 'https://other.example/..%2fx.tgz'])(
  '%s is not accepted as the address of a plugin, because it is ambiguous',
  async (spec) => {
    await using scene = await makeInstallScene();
    await expect(install(scene, spec)).rejects.toMatchObject({
      code: 'INSTALL_SPEC_INVALID',
      message: expect.stringContaining('its address is ambiguous'),
    });
  },
);

/** A repository with a plugin in it, and a git of its own. */
async function makeRepository(folder: string): Promise<string> {
  for (const [path, content] of Object.entries(pluginFiles({name: 'words', version: '1.0.0'}))) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), content);
  }
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message', 'first'],
  ])
    execFileSync('git', args, {cwd: folder});
  return `git+${pathToFileURL(folder).href}`;
}

test('a repository that the configuration of git puts in the place of another is judged too', async () => {
  await using scene = await makeInstallScene();
  await writeFile(
    join(scene.home, '.gitconfig'),
    '[url "ssh://git@git.example/"]\n  insteadOf = https://fine.example/\n',
  );
  await expect(install(scene, 'git+https://fine.example/e/x.git')).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('git.example'),
  });
});

test('an installation that a hook of git starts leaves the repository of the hook alone', async () => {
  await using scene = await makeInstallScene();
  await using own = await makeFolder();
  const spec = await makeRepository(join(scene.folder, 'theirs'));
  await makeRepository(own.path);
  const before = await readFile(join(own.path, '.git', 'HEAD'), 'utf8');
  const state = (): string =>
    execFileSync('git', ['log', '--oneline', '--all'], {cwd: own.path, encoding: 'utf8'}) +
    execFileSync('git', ['status', '--porcelain'], {cwd: own.path, encoding: 'utf8'});
  const clean = state();
  const variables = {
    GIT_DIR: join(own.path, '.git'),
    GIT_WORK_TREE: own.path,
    GIT_INDEX_FILE: join(own.path, '.git', 'index'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.bare',
    GIT_CONFIG_VALUE_0: 'true',
  };
  const {code, stderr} = await scene.geminiWith({variables}, 'plugins', 'install', spec, '--yes');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect([await readFile(join(own.path, '.git', 'HEAD'), 'utf8'), state()]).toEqual([before, clean]);
});
