import {cp, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {startVerdaccio, type Registry} from '../../helpers/verdaccio.js';

// A registry as companies run it, with users and tokens; what is published there is read by its users only.
let registry: Registry;
let folder: Folder;
let token: string;

beforeAll(async () => {
  folder = await makeFolder();
  registry = await startVerdaccio();
  token = await registry.addUser('ada');
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await publish(version);
}, 120_000);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const NAME = '@acme/plugin-hello';

async function publish(version: string): Promise<void> {
  const source = join(folder.path, `source-${version}`);
  await cp(join(checkout, 'test', 'fixtures', 'plugins', 'good'), source, {recursive: true});
  for (const name of (await readdir(source)).filter((one) => one.endsWith('.json'))) {
    const text = await readFile(join(source, name), 'utf8');
    await writeFile(
      join(source, name),
      text
        .replaceAll(/"name": ?"good"/g, `"name": "${NAME}"`)
        .replaceAll(/"version": ?"1\.0\.0"/g, `"version": "${version}"`)
        .replaceAll('"pluginName": "good"', `"pluginName": "${NAME}"`),
    );
  }
  await registry.publish(source, token);
}

interface Person {
  readonly home: string;
  gemini(...args: readonly string[]): Promise<RunResult>;
  installed(): Promise<unknown>;
}

let people = 0;

/** A person whose npm is configured with the registry of a scope and, if given, a token. */
async function hire(own?: string): Promise<Person> {
  const home = join(folder.path, `home-${(people += 1)}`);
  await mkdir(home);
  const {host} = new URL(registry.url);
  // Only what is of the scope goes to the company's registry.
  await writeFile(
    join(home, '.npmrc'),
    `@acme:registry=${registry.url}\n${own ? `//${host}/:_authToken=${own}\n` : ''}`,
  );
  const gemini: Person['gemini'] = (...args) =>
    runGemini(args, {cwd: home, home, variables: {npm_config_registry: 'http://127.0.0.1:9/'}});
  return {
    home,
    gemini,
    installed: async () =>
      (JSON.parse((await gemini('plugins', 'list', '--json')).stdout) as {name: string; version: string}[]).map(
        ({name, version}) => `${name}@${version}`,
      ),
  };
}

test(
  'a private plugin is not installed without a token, and the answer says whose and how to ' +
    'get one [install.private]',
  async () => {
    const stranger = await hire();
    const {code, stdout, stderr} = await stranger.gemini('plugins', 'install', NAME, '--yes');
    expect({code, stdout, stderr}).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/127\.0\.0\.1.*(401|sign|log in|token)/s),
    });
    expect(stderr).toContain('npm login');
    expect(await stranger.installed()).toEqual([]);
  },
);

test('with a token it is installed, and runs [install.private]', async () => {
  const ada = await hire(token);
  expect(await ada.gemini('plugins', 'install', `${NAME}@1.0.0`, '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Installed ${NAME} 1.0.0.`),
  });
  expect(await ada.gemini('good', 'hello')).toEqual({code: 0, stdout: 'Hello from the good plugin.\n', stderr: ''});
});

test('what was pinned stays, what was a range moves within it', async () => {
  const [pinned, ranged] = [await hire(token), await hire(token)];
  await pinned.gemini('plugins', 'install', `${NAME}@1.0.0`, '--yes');
  await ranged.gemini('plugins', 'install', `${NAME}@~1.0.0 || ~1.1.0`, '--yes');
  await Promise.all([pinned.gemini('plugins', 'update', '--yes'), ranged.gemini('plugins', 'update', '--yes')]);
  expect([await pinned.installed(), await ranged.installed()]).toEqual([[`${NAME}@1.0.0`], [`${NAME}@1.1.0`]]);
});

test('a version that is not there is said, with those that are', async () => {
  const ada = await hire(token);
  const {code, stderr} = await ada.gemini('plugins', 'install', `${NAME}@7.0.0`, '--yes');
  expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining('7.0.0')});
  expect(stderr).toContain('2.0.0');
});

test('a token that no longer counts leaves what is installed as it was', async () => {
  const ada = await hire(token);
  await ada.gemini('plugins', 'install', `${NAME}@1.0.0`, '--yes');
  await writeFile(
    join(ada.home, '.npmrc'),
    (await readFile(join(ada.home, '.npmrc'), 'utf8')).replace(token, 'nonsense'),
  );
  expect((await ada.gemini('plugins', 'install', `${NAME}@1.1.0`, '--yes')).code).toBe(1);
  expect([await ada.installed(), (await ada.gemini('good', 'hello')).code]).toEqual([[`${NAME}@1.0.0`], 0]);
});

test('a lock of a project brings another user of the registry the same bytes', async () => {
  const [ada, bob] = [await hire(token), await hire(await registry.addUser('bob'))];
  await ada.gemini('plugins', 'install', `${NAME}@1.1.0`, '--yes', '--project');
  await cp(join(ada.home, '.gemini'), join(bob.home, '.gemini'), {recursive: true});
  const {stderr} = await bob.gemini('directory', 'show');
  expect(stderr).toContain('the project wants it, and it is not installed; run gemini plugins install --project');
  expect(await bob.gemini('plugins', 'install', '--project', '--yes', '--frozen')).toMatchObject({code: 0});
  expect(await bob.gemini('good', 'hello', '--frozen')).toEqual({
    code: 0,
    stdout: 'Hello from the good plugin.\n',
    stderr: '',
  });
});
