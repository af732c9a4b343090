import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {hashTree} from '@gemini-kernel/admission';
import {dataFolder, installPlugins} from '../helpers/install-plugins.js';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {canBeManaged, makeManagedMachine, type ManagedMachine} from '../helpers/run-managed.js';
import type {RunResult} from '../helpers/run-gemini.js';
import {where} from '../helpers/where.js';

interface Desk extends Folder, Omit<ManagedMachine, 'run'> {
  readonly data: string;
  readonly good: string;
  gemini(...argv: readonly string[]): Promise<RunResult>;
}

/** A person with the plugin `good` at a machine whose administrator wrote these files. */
async function sitDown(files: Readonly<Record<string, unknown>>): Promise<Desk> {
  const folder = await makeFolder();
  const home = join(folder.path, 'home');
  await mkdir(home);
  const {good = ''} = await installPlugins(home, {present: ['good']});
  const machine = await makeManagedMachine(folder.path);
  await machine.write(files);
  return {
    ...folder,
    ...machine,
    data: dataFolder(home),
    good,
    gemini: (...argv) => machine.run(argv, {cwd: home, home}),
  };
}

const whereManaged = where(canBeManaged, 'a mount namespace');
const hello = {code: 0, stdout: 'Hello from the good plugin.\n', stderr: ''};

whereManaged('a plugin that the administrator does not speak of loads', async () => {
  await using desk = await sitDown({'plugins.d/10.json': {plugins: {other: {mode: 'blocked'}}}});
  expect(await desk.gemini('good', 'hello')).toEqual(hello);
});

whereManaged(
  'a blocked plugin is left out by name, with the administrator’s message, and everything else works [managed.load]',
  async () => {
    await using desk = await sitDown({
      'plugins.d/10.json': {plugins: {'*': {mode: 'blocked', message: 'Ask #tools.'}}},
    });
    const stderr =
      'Warning: The plugin good was left out: the administrator has it blocked (Ask #tools.). (gemini doctor)\n';
    expect(await desk.gemini('directory', 'show')).toEqual({
      code: 0,
      stdout: expect.stringContaining('current directory'),
      stderr,
    });
    expect(await desk.gemini('good', 'hello')).toMatchObject({code: 41});
  },
);

whereManaged('a rule counts from the next start on, and stops counting when it is gone', async () => {
  await using desk = await sitDown({});
  const before = await desk.gemini('good', 'hello');
  await desk.write({'plugins.d/10.json': {plugins: {good: {mode: 'removed'}}}});
  const during = await desk.gemini('good', 'hello');
  await desk.write({'plugins.d/10.json': {plugins: {}}});
  expect([before, during.code, await desk.gemini('good', 'hello')]).toEqual([hello, 41, hello]);
});

whereManaged('no variable leads to other rules [managed.place]', async () => {
  await using desk = await sitDown({'plugins.d/10.json': {plugins: {'*': {mode: 'blocked'}}}});
  const elsewhere = {
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/tmp/none/settings.json',
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/tmp/none/defaults.json',
    XDG_CONFIG_DIRS: '/tmp/none',
    GEMINI_SYSTEM_DIR: '/tmp/none',
  };
  const machine: ManagedMachine = await makeManagedMachine(join(desk.path, 'again'));
  await machine.write({'plugins.d/10.json': {plugins: {'*': {mode: 'blocked'}}}});
  const home = join(desk.path, 'home');
  expect((await machine.run(['good', 'hello'], {cwd: home, home, variables: elsewhere})).code).toBe(41);
});

whereManaged.each<[string, string | Readonly<Record<string, unknown>>, (desk: Desk) => Promise<unknown>]>([
  ['no JSON', '{', async () => undefined],
  ['of a form that there is not', {plugins: {good: {mode: 'maybe'}}}, async () => undefined],
  [
    'one that everybody may write',
    {plugins: {}},
    ({etc}) => chmod(join(etc, 'gemini-cli', 'plugins.d', '10.json'), 0o666),
  ],
])(
  'a rule file that is %s counts as the strictest: nothing installed loads, and an unattended run ends ' +
    'with 52 [managed.unreliable]',
  async (_, text, change) => {
    await using desk = await sitDown({'plugins.d/10.json': text});
    await change(desk);
    const {code, stdout, stderr} = await desk.gemini('directory', 'show', '--json');
    expect({code, found: JSON.parse(stdout) as unknown, stderr}).toEqual({
      code: 52,
      found: {
        error: expect.objectContaining({
          code: 'MANAGED_UNMET',
          exit: 52,
          message: expect.stringContaining("The administrator's rules cannot be relied on"),
        }),
      },
      stderr: expect.stringContaining('10.json'),
    });
    const doctor = await desk.gemini('doctor');
    expect({code: doctor.code, stdout: doctor.stdout, stderr: doctor.stderr}).toEqual({
      code: 1,
      stdout: expect.stringMatching(/✗ good .*the administrator's rules cannot be relied on/),
      stderr: expect.stringContaining('Warning: The administrator'),
    });
  },
);

whereManaged(
  'a missing plugin that an administrator requires ends an unattended run, and can be fixed [managed.required]',
  async () => {
    await using desk = await sitDown({'plugins.d/10.json': {plugins: {'@corp/audit': {mode: 'required'}}}});
    expect(await desk.gemini('directory', 'show')).toMatchObject({
      code: 52,
      stderr: expect.stringContaining('The administrator requires @corp/audit, which is not there or may not load.'),
    });
    expect((await desk.gemini('plugins', 'list')).code).not.toBe(52);
  },
);

whereManaged(
  'what an administrator names by its content is hashed at every start: a note that says otherwise is not ' +
    'believed [managed.proof]',
  async () => {
    await using desk = await sitDown({});
    const place = join(desk.good, '..', '..');
    const tree = hashTree(place);
    await desk.write({'plugins.d/10.json': {plugins: {good: {tree}}}});
    const before = await desk.gemini('good', 'hello');
    const code = join(desk.good, 'dist', 'commands', 'good', 'hello.js');
    await writeFile(code, (await readFile(code, 'utf8')).replace('Hello', 'hello'));
    const {code: exit, stderr} = await desk.gemini('good', 'hello');
    expect([before, exit, stderr]).toEqual([
      hello,
      41,
      expect.stringContaining('its files are not those the lock was made for'),
    ]);
  },
);

whereManaged('a plugin of the product that is blocked by name is not there, without a warning', async () => {
  await using desk = await sitDown({'plugins.d/10.json': {plugins: {'@gemini-kernel/plugin-tour': {mode: 'blocked'}}}});
  expect(await desk.gemini('directory', 'show')).toMatchObject({code: 0, stderr: ''});
  expect((await desk.gemini('tour')).code).not.toBe(0);
});

whereManaged(
  'with --frozen a link does not load, nor what the lock of the project does not have [frozen.load]',
  async () => {
    await using desk = await sitDown({});
    const project = join(desk.path, 'home', '.gemini', 'plugins.lock.json');
    await mkdir(join(project, '..'));
    await writeFile(project, JSON.stringify({lockVersion: 1, serial: 1, plugins: {}}));
    const free = await desk.gemini('good', 'hello');
    const frozen = await desk.gemini('directory', 'show', '--frozen');
    expect([free, frozen.stderr]).toEqual([
      hello,
      'Warning: The plugin good was left out: the lock of this project does not have it (frozen). (gemini doctor)\n',
    ]);
  },
);

whereManaged(
  'what a person writes into the compiled catalog does not count where an administrator decides [managed.anew]',
  async () => {
    await using desk = await sitDown({
      'plugins.d/10.json': {plugins: {good: {mode: 'blocked'}, '@gemini-kernel/plugin-tour': {mode: 'blocked'}}},
    });
    await desk.gemini('doctor');
    const file = join(desk.data, 'catalog.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as object;
    const manifest: unknown = JSON.parse(await readFile(join(desk.good, 'gemini.plugin.json'), 'utf8'));
    await writeFile(
      file,
      JSON.stringify({
        ...kept,
        refused: [],
        withheld: [],
        plugins: [{root: desk.good, origin: 'user', scope: 'user', manifest}],
      }),
    );
    expect([(await desk.gemini('good', 'hello')).code, (await desk.gemini('tour')).code]).toEqual([41, 41]);
  },
);

whereManaged(
  'a bundle that a person wrote by hand is left out where the administrator names who signs, and takes nothing of ' +
    'the administrator’s away [managed.bundles]',
  async () => {
    await using desk = await sitDown({
      'plugins.d/10.json': {
        bundleSigners: ['corp'],
        keys: {corp: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='},
      },
      'settings.json': {security: {disableYoloMode: true}},
    });
    const bundle = join(desk.data, 'bundles', 'mine');
    await mkdir(bundle, {recursive: true});
    const lock = {
      bundleVersion: 1,
      name: 'mine',
      description: 'Mine.',
      serial: 1,
      plugins: {product: [], installed: {}},
      policies: [],
      settings: {enforced: {security: {disableYoloMode: false}}},
    };
    await writeFile(join(bundle, 'bundle.lock.json'), JSON.stringify(lock));
    const {stdout, stderr} = await desk.gemini('settings', 'get', 'security.disableYoloMode');
    expect({stdout, stderr}).toEqual({stdout: 'true\n', stderr: expect.stringContaining('Warning: The bundle mine')});
    await desk.write({'plugins.d/10.json': {}});
    expect(await desk.gemini('settings', 'get', 'security.disableYoloMode')).toEqual({
      code: 0,
      stdout: 'true\n',
      stderr: expect.stringContaining('nothing says who applied it, and it is not signed'),
    });
  },
);

whereManaged.each<[string, (etc: string) => Promise<unknown>]>([
  ['that others may write', (etc) => chmod(join(etc, 'gemini-cli', 'plugins.lock.json'), 0o666)],
  ['that is damaged', (etc) => writeFile(join(etc, 'gemini-cli', 'plugins.lock.json'), '{')],
])('a lock of the administrator %s lets nothing installed load [managed.unreliable]', async (_, change) => {
  await using desk = await sitDown({'plugins.lock.json': {lockVersion: 1, serial: 1, plugins: {}}});
  const before = await desk.gemini('good', 'hello');
  await change(desk.etc);
  expect([before, (await desk.gemini('directory', 'show')).code]).toEqual([hello, 52]);
});

whereManaged(
  'a file that changes once a start has verified it does not run where the administrator names the tree ' +
    '[install.bytes]',
  async () => {
    const folder = await makeFolder();
    const home = join(folder.path, 'home');
    await mkdir(home);
    const change = async (root: string): Promise<void> => {
      const commands = join(root, 'dist', 'commands', 'good');
      const text = await readFile(join(commands, 'hello.js'), 'utf8');
      await writeFile(join(commands, 'word.js'), `export default 'verified';`);
      const replace =
        `(await import('node:fs')).writeFileSync(new URL('word.js', import.meta.url), ` + `'export default "evil";');`;
      await writeFile(
        join(commands, 'hello.js'),
        text.replace(`this.log('Hello`, `${replace} this.log((await import('./word.js')).default, 'Hello`),
      );
    };
    const {good = ''} = await installPlugins(home, {present: ['good'], change});
    const machine = await makeManagedMachine(folder.path);
    await machine.write({'plugins.d/10.json': {plugins: {good: {tree: hashTree(join(good, '..', '..'))}}}});
    const {code, stdout, stderr} = await machine.run(['good', 'hello'], {cwd: home, home});
    expect({code, stdout, stderr}).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('word.js is not the file that was verified'),
    });
    await folder[Symbol.asyncDispose]();
  },
);
