import {spawnSync} from 'node:child_process';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';

interface Desk extends Folder {
  readonly home: string;
  readonly project: string;
  gemini(...argv: readonly string[]): Promise<RunResult>;
}

async function sitDown(): Promise<Desk> {
  const folder = await makeFolder();
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  await mkdir(join(home, '.gemini'), {recursive: true});
  await mkdir(join(project, '.gemini'), {recursive: true});
  await writeFile(join(project, 'a.txt'), 'a\n');
  return {...folder, home, project, gemini: (...argv) => runGemini(argv, {cwd: project, home})};
}

const DENY = '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 500\n';
const put = async (path: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, text);
};

/** Ways in which one rule file can be unusable; `at` is the place that is named. */
const FAULTS: readonly (readonly [
  string,
  {readonly make: (path: string) => Promise<unknown>; readonly said: string},
])[] = [
  ['holds a syntax error', {make: (path) => put(path, `${DENY}[[rule]]\ntoolName = \n`), said: 'line 6, column 12'}],
  [
    'misspells a condition',
    {make: (path) => put(path, DENY.replace('toolName', 'toolname_')), said: 'line 2, column 1'},
  ],
  ['misspells the header', {make: (path) => put(path, DENY.replace('[[rule]]', '[[ruel]]')), said: 'line 1, column'}],
  ['misspells the decision', {make: (path) => put(path, DENY.replace('"deny"', '"dney"')), said: 'line 3, column'}],
  ['is not UTF-8', {make: (path) => put(path, Buffer.from([0x61, 0xe9])), said: 'not UTF-8'}],
  ['is a folder', {make: (path) => mkdir(path, {recursive: true}), said: 'it is a directory, not a file'}],
  [
    'is a link to nothing',
    {
      make: async (path) => {
        await mkdir(dirname(path), {recursive: true});
        await symlink('nowhere', path);
      },
      said: 'a link that leads nowhere',
    },
  ],
  [
    'is a link to itself',
    {
      make: async (path) => {
        await mkdir(dirname(path), {recursive: true});
        await symlink(path, path);
      },
      said: 'ELOOP',
    },
  ],
  [
    'is a pipe',
    {
      make: async (path) => {
        await mkdir(dirname(path), {recursive: true});
        spawnSync('mkfifo', [path]);
      },
      said: 'it is a FIFO',
    },
  ],
];

const whereLinks = process.platform === 'win32' ? FAULTS.slice(0, 6) : FAULTS;

describe.each<[string, (desk: Desk) => string]>([
  ['of the user', ({home}) => join(home, '.gemini', 'policies', 'deny.toml')],
  ['of a trusted project', ({project}) => join(project, '.gemini', 'policies', 'deny.toml')],
])('a rule file %s', (owner, placeOf) => {
  test.each(whereLinks)('that %s ends the start with 52, also in yolo [authority.broken]', async (_, {make, said}) => {
    await using desk = await sitDown();
    const path = placeOf(desk);
    await make(path);
    const {code, stderr} = await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt', '-y');
    expect({code, stderr}).toEqual({
      code: 52,
      stderr: expect.stringContaining(
        `${owner.endsWith('project') ? "The project's rules" : 'The rules'} in ${path} are broken`,
      ),
    });
    expect(stderr).toContain(said);
    expect(stderr).toContain('gemini policy check');
  });
});

test.each<[string, (desk: Desk) => Promise<readonly string[]>]>([
  [
    'that a flag names as a file',
    async ({project}) => {
      await put(join(project, 'x.toml'), '[[rule]');
      return ['--policy', 'x.toml'];
    },
  ],
  [
    'in a folder that a flag names',
    async ({project}) => {
      await put(join(project, 'rules', 'x.toml'), '[[rule]');
      return ['--policy', 'rules'];
    },
  ],
  [
    'that a flag names for the administrator',
    async ({project}) => {
      await put(join(project, 'x.toml'), '[[rule]');
      return ['--admin-policy', 'x.toml'];
    },
  ],
  [
    'that settings name and that is gone',
    async ({home}) => {
      await put(join(home, '.gemini', 'settings.json'), '{"policyPaths": ["/nowhere/x.toml"]}');
      return [];
    },
  ],
  [
    'that a project names and that is gone',
    async ({project}) => {
      await put(join(project, '.gemini', 'settings.json'), '{"policyPaths": ["gone.toml"]}');
      return [];
    },
  ],
  [
    'in the place of the folder',
    async ({home}) => {
      await put(join(home, '.gemini', 'policies'), DENY);
      return [];
    },
  ],
  [
    'in settings that name no tools',
    async ({home}) => {
      await put(join(home, '.gemini', 'settings.json'), '{"tools": {"exclude": {"read_file": true}}}');
      return [];
    },
  ],
])('a source of rules %s ends the start with 52 [authority.broken]', async (_, make) => {
  await using desk = await sitDown();
  const flags = await make(desk);
  expect(await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt', '-y', ...flags)).toMatchObject({
    code: 52,
    stdout: '',
  });
});

test('a project that is not trusted breaks nothing, and one whose rules are broken gets a report [authority.broken]', async () => {
  await using desk = await sitDown();
  await put(join(desk.project, '.gemini', 'policies', 'x.toml'), '[[rule]');
  const untrusted = await runGemini(['tools', 'call', 'read_file', 'file_path=a.txt'], {
    cwd: desk.project,
    home: desk.home,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
  });
  expect(untrusted).toMatchObject({code: 55});
  expect((await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt')).stderr).toContain('gemini trust remove');
});

test('what repairs a broken rule file works while it is broken [authority.broken]', async () => {
  await using desk = await sitDown();
  const file = join(desk.home, '.gemini', 'policies', 'x.toml');
  await put(file, `${DENY}[[rule]]\ntoolName = \n`);
  expect(await desk.gemini('policy', 'check')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${file}:6:12 error The file is not TOML`),
  });
  const runs = [
    ['settings', 'list'],
    ['settings', 'set', 'general.vimMode', 'true'],
    ['--help'],
    ['--version'],
    ['policy', 'list'],
    ['trust', 'list'],
    ['directory', 'show'],
    ['bundle', 'status'],
  ];
  expect(await Promise.all(runs.map(async (argv) => [argv.join(' '), (await desk.gemini(...argv)).code]))).toEqual(
    runs.map((argv) => [argv.join(' '), 0]),
  );
  expect(await desk.gemini('doctor')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${file} are broken at line 6, column 12`),
  });
});

test('a warning stays a warning: an unknown tool, and a rule of a project that allows [authority.broken]', async () => {
  await using desk = await sitDown();
  await put(join(desk.home, '.gemini', 'policies', 'x.toml'), DENY.replace('read_file', 'raed_file'));
  await put(join(desk.project, '.gemini', 'policies', 'x.toml'), DENY.replace('"deny"', '"allow"'));
  expect(await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt')).toEqual({
    code: 0,
    stdout: 'a\n',
    stderr: '',
  });
  expect(await desk.gemini('policy', 'check')).toMatchObject({code: 0, stdout: expect.stringContaining('2 warnings')});
});
