import {cp, lstat, mkdir, readFile, realpath, rename, rm, symlink, unlink, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {installedFolder, installPlugins, type Installed} from '../helpers/install-plugins.js';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';

const {readUserCatalog} = (await import(pathToFileURL(join(checkout, 'bin/dist/user-catalog.js')).href)) as typeof import('../../bin/src/user-catalog.js');

type Catalog = Awaited<ReturnType<typeof readUserCatalog>>;
type Parts = Parameters<typeof readUserCatalog>[0];

interface Home extends Folder {
  readonly data: string;
  readonly installed: string;
  read(changes?: Partial<Parts>): Promise<Catalog>;
  gemini(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<RunResult>;
}

async function makeHome(plugins?: Installed): Promise<Home> {
  const folder = await makeFolder();
  const installed = installedFolder(folder.path);
  const data = dirname(installed);
  if (plugins) await installPlugins(folder.path, plugins);
  const places = {home: folder.path, cache: join(folder.path, '.cache'), data, installed};
  return {
    ...folder, data, installed,
    read: (changes) => readUserCatalog({places, product: '1.0.0', root: checkout, reserved: [], ...changes}),
    gemini: (args, variables) => runGemini(args, {cwd: folder.path, home: folder.path, ...(variables ? {variables} : {})}),
  };
}

const listed = (found: Catalog): unknown => {
  const catalog = found?.catalog;
  return catalog && {plugins: catalog.plugins.map(({manifest}) => manifest.name), refused: Object.fromEntries(catalog.refused.map(({name, reason}) => [name, reason]))};
};
const hello = {code: 0, stdout: 'Hello from the good plugin.\n', stderr: ''};

test('nobody who installed nothing pays for a catalog', async () => {
  await using home = await makeHome();
  expect(await home.read()).toBeUndefined();
  await expect(lstat(home.data)).rejects.toMatchObject({code: 'ENOENT'});
});

describe('the kept catalog', () => {
  /** Whether a read after `change` took what was kept, which is marked so that it can be told apart. */
  async function isKept(change: (home: Home) => Promise<unknown>, changes?: Partial<Parts>): Promise<boolean> {
    await using home = await makeHome({present: ['good']});
    const file = join(home.data, 'catalog.json');
    await home.read();
    const kept = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({...kept, marked: true}));
    await change(home);
    const found = await home.read(changes);
    expect(listed(found)).toEqual({plugins: ['good'], refused: {}});
    return 'marked' in (found?.catalog ?? {});
  }

  const age = (name: string) => (home: Home) => utimes(join(home.installed, 'node_modules', 'good', name), 1, 1);

  test('serves while nothing changes', async () => expect(await isKept(async () => undefined)).toBe(true));

  test.each<[string, (home: Home) => Promise<unknown>]>([
    ['the list of installed plugins', async ({installed}) => writeFile(join(installed, 'package.json'), `${await readFile(join(installed, 'package.json'), 'utf8')}\n`)],
    ['a manifest', age('gemini.plugin.json')],
    ["a manifest of oclif's", age('oclif.manifest.json')],
    ['the package.json of a plugin', age('package.json')],
    ['the kept catalog itself, to nonsense,', ({data}) => writeFile(join(data, 'catalog.json'), '{"format": 1, "stamp"')],
    ['the kept catalog itself, to other JSON,', ({data}) => writeFile(join(data, 'catalog.json'), 'null')],
    ['the kept commands, by going away,', ({data}) => unlink(join(data, 'commands.json'))],
  ])('is made anew when %s changed', async (_, change) => expect(await isKept(change)).toBe(false));

  test.each<[string, Partial<Parts>]>([['another version of the program', {product: '1.0.1'}]])('is made anew by %s', async (_, changes) => expect(await isKept(async () => undefined, changes)).toBe(false));
});

describe('what cannot be used is left out and says what to do', () => {
  test.each<[string, Installed, (home: Home) => Promise<unknown>, (home: Home) => unknown]>([
    ['a plugin whose folder is gone', {present: ['good'], gone: ['lost']}, async () => undefined, (home) => ({plugins: ['good'], refused: {lost: `its folder ${home.installed}/node_modules/lost is gone; run gemini plugins uninstall lost`}})],
    [
      'a package that is no plugin of gemini',
      {present: ['good']},
      (home) => unlink(join(home.installed, 'node_modules', 'good', 'gemini.plugin.json')),
      () => ({plugins: [], refused: {good: 'it has no gemini.plugin.json, which every plugin of gemini is packed with; its author runs gemini plugins build before npm pack'}}),
    ],
    [
      'a plugin that answers to another name',
      {present: ['good']},
      async ({installed}) => writeFile(join(installed, 'package.json'), (await readFile(join(installed, 'package.json'), 'utf8')).replace('"name":"good"', '"name":"fine"')).then(() => rename(join(installed, 'node_modules', 'good'), join(installed, 'node_modules', 'fine'))),
      () => ({plugins: [], refused: {fine: 'its manifest says it is good'}}),
    ],
    ['a list that is not JSON', {}, ({installed}) => writeFile(join(installed, 'package.json'), '{'), () => ({plugins: [], refused: {'installed plugins': expect.stringMatching(/^their package.json is not JSON: /)}})],
    ['a list of nonsense', {}, ({installed}) => writeFile(join(installed, 'package.json'), '{"oclif": {"plugins": [7]}}'), () => ({plugins: [], refused: {'installed plugins': expect.stringMatching(/^their package.json cannot be read: /)}})],
    [
      'a list that cannot be read',
      {},
      ({installed}) => rm(join(installed, 'package.json')).then(() => mkdir(join(installed, 'package.json'))),
      () => ({plugins: [], refused: {'installed plugins': expect.stringMatching(/^their package.json cannot be read: .*EISDIR/)}}),
    ],
  ])('%s', async (_, plugins, change, expected) => {
    await using home = await makeHome(plugins);
    await change(home);
    expect(listed(await home.read())).toEqual(expected(home));
  });

  test('a linked folder that is not built yet, until it is', async () => {
    await using home = await makeHome({});
    const root = join(home.path, 'mine');
    await cp(join(checkout, 'test', 'fixtures', 'plugins', 'good'), root, {recursive: true});
    await writeFile(join(home.installed, 'package.json'), JSON.stringify({oclif: {plugins: [{name: 'good', type: 'link', root}]}}));
    await rename(join(root, 'gemini.plugin.json'), join(root, 'later.json'));
    const unbuilt = listed(await home.read());
    await rename(join(root, 'later.json'), join(root, 'gemini.plugin.json'));
    expect([unbuilt, listed(await home.read())]).toEqual([
      {plugins: [], refused: {good: `it has no gemini.plugin.json; run gemini plugins build ${root}`}},
      {plugins: ['good'], refused: {}},
    ]);
  });
});

describe('a plugin without a kernel and oclif of its own finds those of the program', () => {
  test('below XDG_DATA_HOME', async () => {
    await using home = await makeHome({present: ['good']});
    await using other = await makeFolder();
    expect(await runGemini(['good', 'hello'], {cwd: other.path, home: other.path, variables: {XDG_DATA_HOME: dirname(home.data)}})).toEqual(hello);
  });

  test('below GEMINI_DATA_DIR', async () => {
    await using home = await makeHome({present: ['good']});
    const moved = join(home.path, 'elsewhere', 'plugins');
    await mkdir(dirname(moved));
    await rename(home.installed, moved);
    expect(await home.gemini(['good', 'hello'], {GEMINI_DATA_DIR: moved})).toEqual(hello);
  });

  test('when the links led to a checkout that has moved', async () => {
    await using home = await makeHome({present: ['good']});
    const link = join(home.data, 'node_modules', '@gemini-kernel', 'kernel');
    await mkdir(dirname(link), {recursive: true});
    await symlink(join(home.path, 'gone'), link);
    expect([await home.gemini(['good', 'hello']), await realpath(link)]).toEqual([hello, join(checkout, 'kernel')]);
  });

  test('and a folder that stands where a link would be is somebody else’s, and stays', async () => {
    await using home = await makeHome({present: ['good']});
    const own = join(home.data, 'node_modules', '@oclif', 'core');
    await mkdir(own, {recursive: true});
    await writeFile(join(own, 'mine.txt'), 'mine');
    await home.read();
    expect(await readFile(join(own, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

test('a plugin with an oclif of its own works beside that of the program', async () => {
  await using home = await makeHome({present: ['good']});
  const [plugin, core] = [join(home.installed, 'node_modules', 'good'), join('node_modules', '@oclif', 'core')];
  await cp(join(checkout, core), join(plugin, core), {recursive: true, filter: (path) => !path.endsWith(join(core, 'node_modules'))});
  await symlink(join(checkout, 'node_modules'), join(plugin, core, 'node_modules'), 'junction');
  const file = join(plugin, 'dist', 'commands', 'good', 'hello.js');
  const code = await readFile(file, 'utf8');
  await writeFile(file, `import {Flags} from '@oclif/core';\n${code.replace('static summary', "static flags = {to: Flags.string({default: 'good'})};\n  static summary").replace('await this.parse(GoodHello)', 'const {flags} = await this.parse(GoodHello)').replace("'Hello from the good plugin.'", '`Hello from the ${flags.to} plugin.`')}`);
  expect([await home.gemini(['good', 'hello']), await home.gemini(['good', 'hello', '--to', 'other'])]).toEqual([hello, {...hello, stdout: 'Hello from the other plugin.\n'}]);
});

test('first starts at the same time all find the plugin', async () => {
  await using home = await makeHome({present: ['good']});
  const results = await Promise.all(Array.from({length: 6}, () => home.gemini(['good', 'hello'])));
  expect(results).toEqual(results.map(() => hello));
  expect(await home.gemini(['good', 'hello'])).toEqual(hello);
});

test('a data folder that cannot be written is told, and everything works', async () => {
  await using home = await makeHome({present: ['good']});
  await mkdir(join(home.data, 'catalog.json', 'in-the-way'), {recursive: true});
  const {stderr, ...rest} = await home.gemini(['good', 'hello']);
  expect(rest).toEqual({code: 0, stdout: hello.stdout});
  expect(stderr).toMatch(new RegExp(`^Warning: What is known of the installed plugins cannot be kept in ${home.data}, so every start reads it anew: .*\n$`));
});
