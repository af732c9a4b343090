import {createHash} from 'node:crypto';
import {cp, lstat, mkdir, readFile, realpath, rename, rm, symlink, unlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {findPlaces} from '@gemini-kernel/admission/start';
import {dataFolder, installPlugins, writeLock, type Installed} from '../helpers/install-plugins.js';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';

const {readUserCatalog} = (await import(
  pathToFileURL(join(checkout, 'bin/dist/user-catalog.js')).href
)) as typeof import('../../bin/src/user-catalog.js');

type Catalog = Awaited<ReturnType<typeof readUserCatalog>>;
type Parts = Parameters<typeof readUserCatalog>[0];

interface Home extends Folder {
  readonly data: string;
  /** Folder of the plugin `good`, where it is installed. */
  readonly good: string;
  read(changes?: Partial<Parts>): Promise<Catalog>;
  gemini(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<RunResult>;
}

async function makeHome(plugins?: Installed): Promise<Home> {
  const folder = await makeFolder();
  const data = dataFolder(folder.path);
  const {good = ''} = plugins ? await installPlugins(folder.path, plugins) : {};
  const {installs} = findPlaces({platform: 'linux', user: folder.path, variables: {}});
  const system = {
    lock: join(folder.path, 'system', 'lock'),
    store: join(folder.path, 'system', 'store'),
    bundles: join(folder.path, 'system', 'bundles'),
    rules: join(folder.path, 'system', 'plugins.d'),
    owner: undefined,
  };
  const parts: Parts = {
    installs: {
      ...installs,
      system,
      project: {lock: join(folder.path, 'project.lock')},
      reserved: [],
      program: checkout,
    },
    data,
    cache: join(folder.path, '.cache'),
    home: folder.path,
    product: '1.0.0',
    frozen: false,
    now: new Date(),
  };
  return {
    ...folder,
    data,
    good,
    read: (changes) => readUserCatalog({...parts, ...changes}),
    gemini: (args, variables) =>
      runGemini(args, {cwd: folder.path, home: folder.path, ...(variables ? {variables} : {})}),
  };
}

const listed = (found: Catalog): unknown => {
  return (
    found && {
      plugins: found.plugins.map(({manifest}) => manifest.name),
      refused: Object.fromEntries(found.refused.map(({name, reason}) => [name, reason])),
    }
  );
};
const hello = {code: 0, stdout: 'Hello from the good plugin.\n', stderr: ''};

test('without installed plugins there is no catalog to pay for', async () => {
  await using home = await makeHome();
  expect(await home.read()).toBeUndefined();
  await expect(lstat(home.data)).rejects.toMatchObject({code: 'ENOENT'});
});

describe('the kept catalog', () => {
  /** Whether a read after `change` took what was kept, which is marked to distinguish it. */
  async function isKept(change: (home: Home) => Promise<unknown>, changes?: Partial<Parts>): Promise<boolean> {
    await using home = await makeHome({present: ['good']});
    const file = join(home.data, 'catalog.json');
    await home.read();
    const kept = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({...kept, marked: true}));
    await change(home);
    const found = await home.read(changes);
    expect(listed(found)).toEqual({plugins: ['good'], refused: {}});
    return 'marked' in (found ?? {});
  }

  test('serves while nothing changes', async () => expect(await isKept(async () => undefined)).toBe(true));

  test.each<[string, (home: Home) => Promise<unknown>]>([
    [
      'the lock',
      async ({data}) =>
        writeFile(join(data, 'plugins.lock.json'), `${await readFile(join(data, 'plugins.lock.json'), 'utf8')}\n`),
    ],
    [
      'the kept catalog itself, to nonsense,',
      ({data}) => writeFile(join(data, 'catalog.json'), '{"format": 1, "stamp"'),
    ],
    ['the kept catalog itself, to other JSON,', ({data}) => writeFile(join(data, 'catalog.json'), 'null')],
    ['the kept commands, by going away,', ({data}) => unlink(join(data, 'commands.json'))],
  ])('is rebuilt when %s changed', async (_, change) => expect(await isKept(change)).toBe(false));

  test.each<[string, Partial<Parts>]>([['another version of the program', {product: '1.0.1'}]])(
    'is rebuilt by %s',
    async (_, changes) => expect(await isKept(async () => undefined, changes)).toBe(false),
  );
});

describe('what cannot be used is left out and says what to do', () => {
  test.each<[string, Installed, (home: Home) => Promise<unknown>, (home: Home) => unknown]>([
    [
      'a plugin whose folder is gone',
      {present: ['good'], gone: ['lost']},
      async () => undefined,
      (home) => ({
        plugins: ['good'],
        refused: {
          lost:
            `its folder ${home.data}/store/lost@1.0.0-0000000000000000/node_modules/lost is gone; run gemini ` +
            'plugins uninstall lost',
        },
      }),
    ],
    [
      'a package that is no plugin of gemini',
      {present: ['good'], change: (root) => unlink(join(root, 'gemini.plugin.json'))},
      async () => undefined,
      () => ({
        plugins: [],
        refused: {
          good:
            'it has no gemini.plugin.json, which every plugin of gemini is packed with; its author runs gemini ' +
            'plugins build before npm pack',
        },
      }),
    ],
    [
      'a plugin that answers to another name',
      {
        present: ['good'],
        change: async (root) =>
          writeFile(
            join(root, 'gemini.plugin.json'),
            (await readFile(join(root, 'gemini.plugin.json'), 'utf8')).replace('"name": "good"', '"name": "fine"'),
          ),
      },
      async () => undefined,
      () => ({plugins: [], refused: {good: 'its manifest says it is fine'}}),
    ],
    [
      'a plugin of which one byte was changed',
      {present: ['good']},
      async ({good}) =>
        writeFile(
          join(good, 'dist', 'commands', 'good', 'hello.js'),
          (await readFile(join(good, 'dist', 'commands', 'good', 'hello.js'), 'utf8')).replace('Hello', 'hello'),
        ),
      () => ({plugins: [], refused: {good: 'its files are not those the lock was made for'}}),
    ],
    [
      'a lock that is not JSON',
      {},
      ({data}) => writeFile(join(data, 'plugins.lock.json'), '{'),
      (home) => ({
        plugins: [],
        refused: {
          'installed plugins': expect.stringContaining(
            `Cannot read the lock of plugins ${home.data}/plugins.lock.json: `,
          ),
        },
      }),
    ],
    [
      'a lock of nonsense',
      {},
      ({data}) => writeFile(join(data, 'plugins.lock.json'), '{"plugins": [7]}'),
      () => ({plugins: [], refused: {'installed plugins': expect.stringContaining('Cannot read the lock of plugins')}}),
    ],
    [
      'a lock that cannot be read',
      {},
      ({data}) => rm(join(data, 'plugins.lock.json')).then(() => mkdir(join(data, 'plugins.lock.json'))),
      () => ({
        plugins: [],
        refused: {'installed plugins': expect.stringMatching(/it is a (directory|device), not a file\.$/)},
      }),
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
    await writeLock(home.data, {good: {version: '1.0.0', source: {type: 'link', location: root}, capabilities: []}});
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
    expect(
      await runGemini(['good', 'hello'], {
        cwd: other.path,
        home: other.path,
        variables: {XDG_DATA_HOME: dirname(home.data)},
      }),
    ).toEqual(hello);
  });

  test('below GEMINI_DATA_DIR', async () => {
    await using home = await makeHome({present: ['good']});
    const moved = join(home.path, 'elsewhere', 'plugins');
    await mkdir(dirname(moved));
    await rename(home.data, moved);
    expect(await home.gemini(['good', 'hello'], {GEMINI_DATA_DIR: moved})).toEqual(hello);
  });

  test('when the links led to a checkout that has moved', async () => {
    await using home = await makeHome({present: ['good']});
    const link = join(home.data, 'node_modules', '@gemini-kernel', 'kernel');
    await mkdir(dirname(link), {recursive: true});
    await symlink(join(home.path, 'gone'), link);
    expect([await home.gemini(['good', 'hello']), await realpath(link)]).toEqual([hello, join(checkout, 'kernel')]);
  });

  test('and a folder that stands where a link would be belongs to another user, and stays', async () => {
    await using home = await makeHome({present: ['good']});
    const own = join(home.data, 'node_modules', '@oclif', 'core');
    await mkdir(own, {recursive: true});
    await writeFile(join(own, 'mine.txt'), 'mine');
    await home.read();
    expect(await readFile(join(own, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

test('a plugin with an oclif of its own works beside that of the program', async () => {
  await using home = await makeHome({present: ['good'], change: bringOclif});
  expect([await home.gemini(['good', 'hello']), await home.gemini(['good', 'hello', '--to', 'other'])]).toEqual([
    hello,
    {...hello, stdout: 'Hello from the other plugin.\n'},
  ]);
});

async function bringOclif(plugin: string): Promise<void> {
  const core = join('node_modules', '@oclif', 'core');
  await cp(join(checkout, core), join(plugin, core), {
    recursive: true,
    filter: (path) => !path.endsWith(join(core, 'node_modules')),
  });
  const {dependencies} = JSON.parse(await readFile(join(checkout, core, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    await cp(join(checkout, 'node_modules', name), join(plugin, 'node_modules', name), {recursive: true});
  const file = join(plugin, 'dist', 'commands', 'good', 'hello.js');
  const code = await readFile(file, 'utf8');
  await writeFile(
    file,
    'import {Flags} from ' +
      `'@oclif/core';\n${code.replace('static summary', "static flags = {to: Flags.string({default: 'good'})};\n  static summary").replace('await this.parse(GoodHello)', 'const {flags} = await this.parse(GoodHello)').replace("'Hello from the good plugin.'", '`Hello from the ${flags.to} plugin.`')}`,
  );
}

test('first starts at the same time all find the plugin', async () => {
  await using home = await makeHome({present: ['good']});
  const results = await Promise.all(Array.from({length: 6}, () => home.gemini(['good', 'hello'])));
  expect(results).toEqual(results.map(() => hello));
  expect(await home.gemini(['good', 'hello'])).toEqual(hello);
});

test('a read-only data folder is reported, and everything works', async () => {
  await using home = await makeHome({present: ['good']});
  await mkdir(join(home.data, 'catalog.json', 'in-the-way'), {recursive: true});
  const {stderr, ...rest} = await home.gemini(['good', 'hello']);
  expect(rest).toEqual({code: 0, stdout: hello.stdout});
  expect(stderr).toMatch(
    new RegExp(
      `^Warning: What is known of the installed plugins cannot be kept in ${home.data}, so every start reads it ` +
        `again: .*\n$`,
    ),
  );
});

describe('the lock of a project', () => {
  const writeProject = (home: Home, plugins: object): Promise<void> =>
    writeFile(join(home.path, 'project.lock'), JSON.stringify({lockVersion: 1, serial: 1, plugins}));
  const source = {type: 'registry', registry: 'https://registry.example/', wanted: 'latest'};

  test(
    'links nothing: its folder would run before anybody was asked whether the project is trusted ' +
      '[lock.project-links]',
    async () => {
      await using home = await makeHome({present: ['good']});
      await writeProject(home, {
        evil: {version: '1.0.0', source: {type: 'link', location: home.good}, capabilities: []},
      });
      expect(listed(await home.read())).toEqual({
        plugins: ['good'],
        refused: {evil: 'the lock of a project cannot link'},
      });
    },
  );

  test('takes nothing away that the person installed, by naming a tree that is not there [lock.project-shadow]', async () => {
    await using home = await makeHome({present: ['good']});
    await writeProject(home, {good: {version: '9.0.0', source, tree: `sha256-${'9'.repeat(64)}`, capabilities: []}});
    expect(listed(await home.read())).toEqual({
      plugins: ['good'],
      refused: {good: 'the project wants it, and it is not installed; run gemini plugins install --project'},
    });
  });

  test.each([
    ['a device', '/dev/zero'],
    ['a folder', '/'],
  ])('that is %s is not read for ever', async (_, target) => {
    await using home = await makeHome({present: ['good']});
    await symlink(target, join(home.path, 'project.lock'));
    expect(listed(await home.read())).toEqual({
      plugins: ['good'],
      refused: {'installed plugins': expect.stringMatching(/it is a (directory|device), not a file\.$/)},
    });
  });
});

describe('a bundle that a person applied', () => {
  const write = async (home: Home, expires: string): Promise<void> => {
    const lock = JSON.parse(await readFile(join(home.data, 'plugins.lock.json'), 'utf8')) as {plugins: {good: object}};
    await writeLock(home.data, {
      good: {...lock.plugins.good, source: {type: 'bundle', bundle: 'mine', serial: 1}} as LockedPlugin,
    });
    await mkdir(join(home.data, 'bundles', 'mine'), {recursive: true});
    const text = JSON.stringify({
      bundleVersion: 1,
      name: 'mine',
      description: 'Mine.',
      serial: 1,
      expires,
      plugins: {product: [], installed: {}},
      policies: [],
    });
    await writeFile(join(home.data, 'bundles', 'mine', 'bundle.lock.json'), text);
    const digest = `sha256-${createHash('sha256').update(text).digest('hex')}`;
    await writeFile(
      join(home.data, 'bundles', 'memory.json'),
      JSON.stringify({applied: {mine: {serial: 1, digest, signers: ['me'], at: '2026-01-01T00:00:00Z'}}, keys: {}}),
    );
  };

  test.each([
    ['has not expired', '2999-01-01T00:00:00Z', {plugins: ['good'], refused: {}}],
    [
      'has expired',
      '2001-01-01T00:00:00Z',
      {plugins: [], refused: {good: 'its bundle mine expired on 2001-01-01T00:00:00Z; apply a newer one'}},
    ],
    [
      'has an invalid date',
      'never',
      {
        plugins: [],
        refused: {
          good: 'its bundle mine is not in force; apply it again',
          mine: expect.stringContaining('its lock is not valid'),
        },
      },
    ],
  ])('and that %s decides whether what came with it loads [bundles.expire]', async (_, expires, expected) => {
    await using home = await makeHome({present: ['good']});
    await write(home, expires);
    expect(listed(await home.read())).toEqual(expected);
  });

  test('cannot be listed where its folder is a loop of links, and that is reported', async () => {
    await using home = await makeHome({present: ['good']});
    await symlink('bundles', join(home.data, 'bundles'));
    expect(listed(await home.read())).toEqual({
      plugins: ['good'],
      refused: {bundles: expect.stringContaining('ELOOP')},
    });
  });
});

test('the variable that compares with plain oclif runs nothing that no lock has [faults.lock]', async () => {
  await using home = await makeHome();
  const ext = join(home.data, 'ext');
  const planted = join(ext, 'node_modules', 'planted');
  await mkdir(planted, {recursive: true});
  await writeFile(
    join(ext, 'package.json'),
    JSON.stringify({
      oclif: {schema: 1, plugins: [{name: 'planted', tag: 'latest', type: 'user'}]},
      dependencies: {planted: '*'},
    }),
  );
  await writeFile(
    join(planted, 'package.json'),
    JSON.stringify({name: 'planted', version: '1.0.0', oclif: {commands: './commands', hooks: {init: './init'}}}),
  );
  await writeFile(join(planted, 'init.js'), 'module.exports = async () => console.log("planted code ran");');
  const {code, stdout} = await home.gemini(['directory', 'show'], {GEMINI_STOCK_OCLIF: '1'});
  expect({code, stdout}).toEqual({code: 0, stdout: expect.not.stringContaining('planted')});
});
