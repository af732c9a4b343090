import {mkdir, readFile, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {temporaryDirectory, type TemporaryDirectory} from '../workspace/temporary-directory.js';

interface Place extends TemporaryDirectory {
  readonly project: string;
  readonly home: string;
  gemini(...args: readonly string[]): Promise<RunResult>;
}

async function place(): Promise<Place> {
  const directory = await temporaryDirectory({
    'project/sub/a.txt': '',
    'project/.geminiignore': '# made\nout/\n',
    'lib/b.txt': '',
    home: null,
  });
  const [project, home] = [join(directory.path, 'project'), join(directory.path, 'home')];
  await symlink('../lib', join(project, 'link'));
  return {...directory, project, home, gemini: (...args) => runGemini(args, {cwd: project, home})};
}

const list = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('gemini directory add', () => {
  test('keeps directories in the project settings and says which were there', async () => {
    await using at = await place();
    const lib = join(at.path, 'lib');
    const first = await at.gemini('directory', 'add', '../lib, ./sub', 'link');
    const second = await at.gemini('directory', 'add', 'link,.');
    expect([first, second]).toEqual([
      {
        code: 0,
        stderr: '',
        stdout: list(
          `Added ${lib} to the project settings.`,
          `Added ${at.project}/sub to the project settings.`,
          'Tools reach 3 directories.',
        ),
      },
      {
        code: 0,
        stderr: '',
        stdout: list(`${lib} is already present.`, `${at.project} is already present.`, 'Tools reach 3 directories.'),
      },
    ]);
    expect(JSON.parse(await readFile(join(at.project, '.gemini/settings.json'), 'utf8'))).toEqual({
      context: {includeDirectories: ['../lib', './sub']},
    });
  });

  test('keeps them for the user with --scope user, and gives JSON with --json', async () => {
    await using at = await place();
    const {code, stdout} = await at.gemini('directory', 'add', '../lib', '--scope', 'user', '--json');
    const lib = join(at.path, 'lib');
    expect([code, JSON.parse(stdout)]).toEqual([0, {added: [lib], present: [], directories: [at.project, lib]}]);
    expect(JSON.parse(await readFile(join(at.home, '.gemini/settings.json'), 'utf8'))).toEqual({
      context: {includeDirectories: [lib]},
    });
  });

  test('adds none when one cannot be added', async () => {
    await using at = await place();
    const refused = await at.gemini('directory', 'add', '../lib,../none,sub/a.txt');
    expect(refused).toEqual({
      code: 42,
      stdout: '',
      stderr: list(
        `Error: Directory ${at.path}/none does not exist. ${at.project}/sub/a.txt is not a directory.`,
        'Create them or correct the spelling; relative paths start at the current directory.',
      ),
    });
    await expect(readFile(join(at.project, '.gemini/settings.json'))).rejects.toMatchObject({code: 'ENOENT'});
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ['commas only', [' , ,'], 42, /^Error: No directory is given\.\nPass one, for example gemini directory add /],
    ['no path', [], 1, /^Error: Missing argument: path/],
    ['an unknown scope', ['../lib', '--scope', 'team'], 1, /--scope=team to be one of: project, user/],
  ])('refuses %s', async (_, args, code, stderr) => {
    await using at = await place();
    const refused = await at.gemini('directory', 'add', ...args);
    expect(refused).toEqual({code, stdout: '', stderr: expect.stringMatching(stderr)});
  });
});

describe('names [directories.names]', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['commas part', ['a,b'], ['a', 'b']],
    ['quotes hold together', ['"one, two",b'], ['one, two', 'b']],
    ['single quotes too', ["b,'one, two'"], ['b', 'one, two']],
    ['a backslash before a comma', ['one\\, two,b'], ['one, two', 'b']],
    ['a name with a comma that is there', ['one, two'], ['one, two']],
    ['such a name among others', ['a,one, two,b'], ['a', 'one, two', 'b']],
    ['a quote within a name', ["it's"], ["it's"]],
  ])('%s', async (_, words, names) => {
    await using at = await place();
    for (const name of ['a', 'b', 'one, two', "it's"]) await mkdir(join(at.project, name));
    const {code, stdout} = await at.gemini('directory', 'add', ...words, '--json');
    expect([code, (JSON.parse(stdout) as {added: readonly string[]}).added]).toEqual([
      0,
      names.map((name) => join(at.project, name)),
    ]);
  });
});

describe('gemini directory remove', () => {
  test('takes out what the settings name, and nothing else [directories.remove]', async () => {
    await using at = await place();
    await at.gemini('directory', 'add', '../lib,sub');
    const file = join(at.project, '.gemini/settings.json');
    expect(await at.gemini('directory', 'remove', '../lib')).toEqual({
      code: 0,
      stderr: '',
      stdout: list(`Removed ${at.path}/lib from ${file}.`),
    });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({context: {includeDirectories: ['sub']}});
    const again = await at.gemini('directory', 'remove', '../lib', '--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      42,
      {error: expect.objectContaining({code: 'DIRECTORY_NOT_KEPT', exit: 42})},
    ]);
  });
});

test('in a folder that is not trusted, what is added is said not to count, with the next step [directories.untrusted]', async () => {
  await using at = await place();
  const run = (...args: readonly string[]): Promise<RunResult> =>
    runGemini(args, {cwd: at.project, home: at.home, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'}});
  const added = await run('directory', 'add', '../lib');
  expect(added.stdout).toBe(
    list(
      `Added ${at.path}/lib to the project settings, but it is not in force.`,
      'Tools reach 1 directory.',
      `${at.project} is not trusted, so its settings do not count. Run gemini trust add, or pass --scope user.`,
    ),
  );
  expect(JSON.parse((await run('directory', 'add', '../lib', '--json')).stdout)).toMatchObject({
    untrusted: at.project,
    directories: [at.project],
  });
});

describe('gemini directory show', () => {
  test('says which directory is not there any more, or may not be listed [directories.reach]', async () => {
    await using at = await place();
    const faults = await import('#plugins/directories/dist/find-fault.js');
    expect([await faults.findFault(at.project), await faults.findFault(join(at.project, 'never'))]).toEqual([
      undefined,
      'gone',
    ]);
  });

  test('lists every root and what put it there, aligned [directories.show]', async () => {
    await using at = await place();
    await mkdir(join(at.path, 'x'));
    await at.gemini('directory', 'add', '../lib');
    const shown = await at.gemini('directory', 'show', '--include-directories', 'sub,../x');
    const rows = [
      [at.project, 'current directory'],
      [`${at.path}/lib`, `settings: ${at.project}/.gemini/settings.json, as ../lib`],
      [`${at.project}/sub`, '--include-directories'],
      [`${at.path}/x`, '--include-directories'],
    ] as const;
    expect(shown).toEqual({
      code: 0,
      stderr: '',
      stdout: list(
        'Tools reach 4 directories:',
        ...rows.map(([path, source]) => `  ${path.padEnd(`${at.project}/sub`.length)}  ${source}`),
      ),
    });
  });

  test('gives paths and sources as JSON', async () => {
    await using at = await place();
    const {code, stdout} = await at.gemini('directory', 'show', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, {directories: [{path: at.project, source: 'cwd'}], pending: []}]);
  });

  test('says which directory of a flag is missing, on standard output too with --json', async () => {
    await using at = await place();
    const message = `--include-directories: Directory ${at.path}/none does not exist.`;
    const hint = 'Create it or correct the spelling; relative paths start at the current directory.';
    const [plain, json] = [
      await at.gemini('directory', 'show', '--include-directories', '../none'),
      await at.gemini('directory', 'show', '--include-directories', '../none', '--json'),
    ];
    expect(plain).toEqual({code: 42, stdout: '', stderr: list(`Error: ${message}`, hint)});
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      42,
      {error: expect.objectContaining({code: 'DIRECTORY_MISSING', message, hint, exit: 42})},
    ]);
  });
});

describe('gemini directory explain', () => {
  test.each<[string, string, (at: Place) => readonly string[]]>([
    [
      'a file inside',
      'sub/a.txt',
      ({project}) => [
        `  real path   ${project}/sub/a.txt`,
        `  inside      ${project} (current directory)`,
        '  ignored by  nothing',
      ],
    ],
    [
      'an ignored file that does not exist',
      'out/b.js',
      ({project}) => [
        `  real path   ${project}/out/b.js (does not exist yet)`,
        `  inside      ${project} (current directory)`,
        `  ignored by  ${project}/.geminiignore:2: out/`,
      ],
    ],
    [
      '.git',
      '.git',
      ({project}) => [
        `  real path   ${project}/.git (does not exist yet)`,
        `  inside      ${project} (current directory)`,
        '  ignored by  .git (built in)',
      ],
    ],
    [
      'a directory outside',
      '../lib',
      ({path}) => [
        `  real path   ${path}/lib`,
        '  inside      no directory of the workspace',
        '  because     It is outside the directories that tools may reach.',
      ],
    ],
    [
      'a link out',
      'link/b.txt',
      ({path, project}) => [
        `  real path   ${path}/lib/b.txt`,
        '  inside      no directory of the workspace',
        `  because     A symbolic link on the way leads out of ${project}.`,
      ],
    ],
  ])('%s', async (_, given, expected) => {
    await using at = await place();
    // Unreachable is an exit code. [directories.reach]
    const code = expected(at).some((line) => line.includes('because')) ? 1 : 0;
    expect(await at.gemini('directory', 'explain', given)).toEqual({
      code,
      stderr: '',
      stdout: list(given, ...expected(at)),
    });
  });

  test('gives the same as JSON', async () => {
    await using at = await place();
    const explained = await Promise.all(
      ['out/b.js', 'link/b.txt'].map(
        async (path) => JSON.parse((await at.gemini('directory', 'explain', path, '--json')).stdout) as unknown,
      ),
    );
    const root = {path: at.project, source: 'cwd'};
    expect(explained).toEqual([
      {
        given: 'out/b.js',
        real: `${at.project}/out/b.js`,
        exists: false,
        reachable: true,
        root,
        ignoredBy: {file: `${at.project}/.geminiignore`, line: 2, pattern: 'out/'},
      },
      {
        given: 'link/b.txt',
        real: `${at.path}/lib/b.txt`,
        exists: true,
        reachable: false,
        reason: `A symbolic link on the way leads out of ${at.project}.`,
      },
    ]);
  });

  test('says why a path has no real path', async () => {
    await using at = await place();
    await symlink('loop', join(at.project, 'loop'));
    const refused = await at.gemini('directory', 'explain', 'loop');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: list(
        `Error: Cannot find the real path of ${at.project}/loop: its symbolic links form a loop.`,
        'List the directories in the path to see what is there.',
      ),
    });
  });
});

test.each(['add', 'show', 'explain', 'remove'])(
  'gemini directory %s --help says what it does with examples',
  async (verb) => {
    await using at = await place();
    const {code, stdout, stderr} = await at.gemini('directory', verb, '--help');
    expect([code, stderr, stdout.includes(`$ gemini directory ${verb}`), stdout.includes('EXAMPLES')]).toEqual([
      0,
      '',
      true,
      true,
    ]);
  },
);
