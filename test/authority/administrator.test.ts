import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {canBeManaged, makeManagedMachine, type ManagedMachine} from '../helpers/run-managed.js';
import type {RunResult} from '../helpers/run-gemini.js';
import {named, owned, type Named, type Owned} from './administrator-table.js';
import {where} from '../helpers/where.js';

const whereManaged = where(canBeManaged, 'a mount namespace');

interface Desk extends Folder, Omit<ManagedMachine, 'run'> {
  readonly home: string;
  readonly project: string;
  run(argv: readonly string[], one?: Named): Promise<RunResult>;
}

async function put(folder: string, files: Readonly<Record<string, unknown>> = {}): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** A person in a project that is trusted by a rule of that person, unless trust is what the administrator speaks of. */
async function sitDown({etc = {}, lib, held}: Pick<Owned, 'etc' | 'lib' | 'held'>, one?: Named): Promise<Desk> {
  const folder = await makeFolder();
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  const machine = await makeManagedMachine(folder.path);
  await machine.write(etc);
  await put(join(machine.var, 'gemini-cli'), lib);
  await put(project, {'a.txt': 'a\n', ...one?.project});
  await put(home, {...one?.home, ...(held.code === 55 ? {} : {'trusted.json': {[project]: 'TRUST_FOLDER'}})});
  const fill = (text: string): string => text.replace('HOME', home);
  const trust = {GEMINI_CLI_TRUST_WORKSPACE: '', GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(home, 'trusted.json')};
  const variables = Object.fromEntries(
    Object.entries({...trust, ...one?.variables}).map(([name, value]) => [name, fill(value)]),
  );
  return {
    ...folder,
    ...machine,
    home,
    project,
    run: (argv, {argv: more = []} = {} as Named) =>
      machine.run([...argv, ...more.map(fill)], {cwd: project, home, variables}),
  };
}

/** Everything of a group at once; files of one name say what each of them says. */
function together(group: Named['group']): Named {
  const all = named.filter((one) => one.group === group);
  const files = (key: 'home' | 'project'): Record<string, unknown> => {
    const joined: Record<string, unknown> = {};
    for (const [name, content] of all.flatMap((one) => Object.entries(one[key] ?? {}))) {
      joined[name] =
        typeof content === 'object' && content !== null && name in joined
          ? {...(joined[name] as object), ...content}
          : content;
    }
    return joined;
  };
  return {
    who: all[0]?.who ?? 'person',
    what: `all ${group}`,
    group,
    argv: all.flatMap(({argv = []}) => argv),
    variables: Object.assign({}, ...all.map(({variables}) => variables)) as Record<string, string>,
    home: files('home'),
    project: files('project'),
  };
}

// One by one in the long form, all of a group at once in the short one: if one of them loosened anything, the group
// would.
const tried = process.env['FUZZ_RUNS'] ? named : [...new Set(named.map(({group}) => group))].map(together);
// In the short form every second pair, so that each thing and each group has its turns.
const isLong = process.env['FUZZ_RUNS'] !== undefined;
const cells = owned.flatMap((what, row) =>
  tried
    .filter((_, column) => isLong || (row + column) % 2 === 0)
    .map((one) => [what.what, `${one.who}: ${one.what}`, what, one] as const),
);

whereManaged.each(cells)(
  '%s of the administrator holds against the %s [authority.administrator]',
  async (_, __, what, one) => {
    await using desk = await sitDown(what, one);
    // The probe of what rules out yolo has asked for it already.
    const argv = (one.argv ?? []).filter((word) => !(what.probe.includes('--yolo') && /yolo$/.test(word)));
    const {code, stderr} = await desk.run(what.probe, {...one, argv});
    expect({code, stderr}).toEqual({code: what.held.code, stderr: expect.stringContaining(what.held.said)});
  },
);

const ALLOW = '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 999\n';
const DENY = ALLOW.replace('allow', 'deny');
const nothing = {held: {code: 1, said: ''}};
const ownsAnything: readonly (readonly [string, Pick<Owned, 'etc' | 'lib'>])[] = [
  ['settings', {etc: {'settings.json': {}}}],
  ['defaults', {etc: {'system-defaults.json': {}}}],
  ['a rule file', {etc: {'policies/a.toml': DENY.replace('read_file', 'glob')}}],
  ['rules about plugins', {etc: {'plugins.d/10.json': {plugins: {}}}}],
  ['a lock of plugins', {etc: {'plugins.lock.json': {lockVersion: 1, serial: 1, plugins: {}}}}],
  [
    'a bundle',
    {
      lib: {
        'bundles/corp/bundle.lock.json': {
          bundleVersion: 1,
          name: 'corp',
          description: 'x',
          serial: 1,
          plugins: {product: [], installed: {}},
          policies: [],
        },
      },
    },
  ],
];

whereManaged.each(ownsAnything)(
  'where an administrator owns %s, --admin-policy and adminPolicyPaths only make calls stricter, and say so ' +
    '[authority.admin-tier]',
  async (_, files) => {
    await using desk = await sitDown(
      {...files, ...nothing},
      {
        who: 'person',
        what: '',
        group: 'files',
        home: {'allow.toml': ALLOW, 'deny.toml': DENY, '.gemini/policies/mine.toml': DENY},
      },
    );
    const allow = await desk.run([
      'tools',
      'call',
      'read_file',
      'file_path=a.txt',
      '--admin-policy',
      join(desk.home, 'allow.toml'),
    ]);
    expect({code: allow.code, stderr: allow.stderr}).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        'allow.toml: These rules only make calls stricter, because this machine has an administrator',
      ),
    });
    await put(desk.home, {'.gemini/policies/mine.toml': ALLOW});
    const read = ['tools', 'call', 'read_file', 'file_path=a.txt'];
    expect([
      (await desk.run(read)).code,
      (await desk.run([...read, '--admin-policy', join(desk.home, 'deny.toml')])).code,
    ]).toEqual([0, 1]);
  },
);

whereManaged(
  'where no administrator owns anything, --admin-policy outranks a person’s own rules [authority.admin-tier]',
  async () => {
    await using desk = await sitDown(nothing, {
      who: 'person',
      what: '',
      group: 'files',
      home: {'allow.toml': ALLOW, '.gemini/policies/mine.toml': DENY},
    });
    expect(
      await desk.run([
        'tools',
        'call',
        'read_file',
        'file_path=a.txt',
        '--admin-policy',
        join(desk.home, 'allow.toml'),
      ]),
    ).toEqual({code: 0, stdout: 'a\n', stderr: ''});
  },
);

whereManaged(
  'rules that the administrator’s settings name are the administrator’s, and must be closed to others ' +
    '[authority.administrator]',
  async () => {
    await using desk = await sitDown(
      {etc: {'settings.json': {adminPolicyPaths: ['/etc/gemini-cli/more/a.toml']}, 'more/a.toml': DENY}, ...nothing},
      {who: 'person', what: '', group: 'files', home: {'.gemini/policies/mine.toml': ALLOW}},
    );
    const read = ['tools', 'call', 'read_file', 'file_path=a.txt'];
    expect((await desk.run(read)).code).toBe(1);
    await desk.write({'settings.json': {adminPolicyPaths: [join(desk.home, 'open.toml')]}});
    await writeFile(join(desk.home, 'open.toml'), ALLOW);
    await chmod(join(desk.home, 'open.toml'), 0o666);
    expect(await desk.run(read)).toMatchObject({
      code: 52,
      stderr: expect.stringMatching(/could have been changed by another user|broken/),
    });
  },
);
