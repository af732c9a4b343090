import {spawnSync} from 'node:child_process';
import {chmod, mkdir, readFile, rm, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {nodeUnderModes} from '../../helpers/node-under-modes.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';
import {temporaryDirectory} from './temporary-directory.js';
import {expandHome} from '#plugins/workspace/dist/directory.js';

const plugins = ['settings', 'trust', 'workspace'].map(pluginRoot);
const TRUSTED = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
const include = (...directories: readonly string[]): string =>
  JSON.stringify({context: {includeDirectories: directories}});

// A plugin that writes down what it hears.
const WATCHER = {
  manifestVersion: 1,
  name: 'watcher',
  version: '1.0.0',
  description: 'Watches.',
  kernel: '*',
  requires: {services: {}},
  tools: [],
  services: [],
  hooks: [],
  listeners: [{hook: 'workspace:changed', module: './listener.mjs'}],
  commands: [],
  flags: [],
  errors: {},
} as const;
const LISTENER = `
  import {appendFile} from 'node:fs/promises';
  const run = (payload) => appendFile(payload.directories[0] + '/announced', JSON.stringify(payload) + '\\n');
  export default Object.defineProperty({hook: 'workspace:changed', run}, Symbol.for('gemini-kernel.brand'), {value: 'listener'});
`;

function open(options: Omit<TestKernelOptions, 'plugins'>): Promise<TestKernel> {
  return createTestKernel({plugins, ...options, variables: {...TRUSTED, ...options.variables}});
}

/** Each root as `source path`, relative to the folder around project and home. */
async function roots(kernel: TestKernel): Promise<readonly string[]> {
  const list = await (await kernel.service('workspace')).roots();
  return list.map(({path, source}) => `${source} ${path.replace(`${dirname(kernel.project)}/`, '')}`);
}

test(
  'come from the current directory, the settings, the flag and the editor, in this order, each real path once ' +
    '[workspace.roots]',
  async () => {
    await using kernel = await open({
      files: {
        '.gemini/settings.json': include('sub', './'),
        '../a/x': '',
        '../b/x': '',
        '../c/x': '',
        '../d/x': '',
        'sub/x': '',
      },
      homeFiles: {'.gemini/settings.json': include('~/notes', '../a'), 'notes/x': ''},
      flags: {'context.includeDirectories': ['../c', '../a', 'sub']},
      variables: {
        GEMINI_CLI_IDE_WORKSPACE_PATH: ['../d', ' ', '', '../none', '../c'].join(
          process.platform === 'win32' ? ';' : ':',
        ),
      },
    });
    expect(await roots(kernel)).toEqual([
      'cwd project',
      'settings home/notes',
      'settings a',
      'settings project/sub',
      'flag c',
      'editor d',
    ]);
    expect(kernel.warnings).toEqual([]);
  },
);

test(
  'that an editor has open join for the session, but never what holds the whole home directory ' +
    '[workspace.editor-roots]',
  async () => {
    await using kernel = await open({
      files: {'../a/x': '', 'sub/x': ''},
      homeFiles: {'notes/x': ''},
      variables: {GEMINI_CLI_IDE_WORKSPACE_PATH: ['/', '../home'].join(process.platform === 'win32' ? ';' : ':')},
    });
    const workspace = await kernel.service('workspace');
    const home = join(dirname(kernel.project), 'home');
    expect(
      await workspace.add(['../a', home, '/', dirname(home), join(home, 'notes'), kernel.project], {
        scope: 'session',
        source: 'editor',
      }),
    ).toMatchObject({added: [join(dirname(kernel.project), 'a'), join(home, 'notes')], present: [kernel.project]});
    expect(await roots(kernel)).toEqual(['cwd project', 'editor a', 'editor home/notes']);
  },
);

test('from settings that are no directories are left out with a warning that names file and path', async () => {
  await using kernel = await open({
    files: {'.gemini/settings.json': include('../none', 'a.txt', 'sub'), 'a.txt': '', 'sub/x': ''},
  });
  expect(await roots(kernel)).toEqual(['cwd project', 'settings project/sub']);
  const source = join(kernel.project, '.gemini/settings.json');
  expect(kernel.warnings).toEqual([
    `context.includeDirectories in ${source}: Directory ${dirname(kernel.project)}/none does not exist. ` +
      'Ignoring this entry.',
    `context.includeDirectories in ${source}: ${kernel.project}/a.txt is not a directory. Ignoring this entry.`,
  ]);
});

describe('a flag', () => {
  test.each([
    [
      'that names nothing',
      ['none'],
      'DIRECTORY_MISSING',
      '--include-directories: Directory PARENT/none does not exist.',
    ],
    [
      'that names a file',
      ['a.txt'],
      'DIRECTORY_NOT_A_DIRECTORY',
      '--include-directories: PARENT/a.txt is not a directory.',
    ],
    [
      'that goes in circles',
      ['loop'],
      'DIRECTORY_UNREADABLE',
      '--include-directories: Directory PARENT/loop cannot be reached: its symbolic links form a loop.',
    ],
    [
      'with several faults',
      ['none', 'sub', 'a.txt'],
      'DIRECTORY_MISSING',
      '--include-directories: Directory PARENT/none does not exist. PARENT/a.txt is not a directory.',
    ],
  ])('%s is an error that names it before the session begins', async (_, given, code, message) => {
    await using folder = await temporaryDirectory({'a.txt': '', 'sub/x': '', loop: {link: 'loop'}});
    const opening = open({flags: {'context.includeDirectories': given.map((name) => join(folder.path, name))}});
    await expect(opening).rejects.toMatchObject({code, message: message.replaceAll('PARENT', folder.path)});
  });
});

test('a current directory that is gone is said', async () => {
  await using kernel = await open({});
  await rm(kernel.project, {recursive: true});
  await expect(kernel.kernel.open().service('workspace')).rejects.toMatchObject({
    code: 'DIRECTORY_MISSING',
    message: `The current directory does not exist or cannot be reached: ${kernel.project}.`,
  });
});

describe('added to a session', () => {
  test('count at once, are announced once, and are not kept [workspace.announced]', async () => {
    await using folder = await temporaryDirectory({'listener.mjs': LISTENER});
    const watcher = {root: folder.path, origin: 'link', manifest: WATCHER} as const;
    await using kernel = await createTestKernel({
      variables: TRUSTED,
      plugins: [...plugins, watcher],
      files: {'../a/x': '', '../b/x': ''},
    });
    await symlink('../a', join(kernel.project, 'link'));
    const workspace = await kernel.service('workspace');
    const parent = dirname(kernel.project);
    const first = await workspace.add(['../a', '../b', 'link'], {scope: 'session'});
    const second = await workspace.add(['link', '.'], {scope: 'session'});
    const directories = [kernel.project, join(parent, 'a'), join(parent, 'b')];
    expect([first, second]).toEqual([
      {added: [join(parent, 'a'), join(parent, 'b')], present: [], directories},
      {added: [], present: [join(parent, 'a'), kernel.project], directories},
    ]);
    expect(await readFile(join(kernel.project, 'announced'), 'utf8')).toBe(`${JSON.stringify({directories})}\n`);
    expect(await (await kernel.service('settings')).get('context.includeDirectories')).toEqual([]);
  });

  test('all or none, with every fault named', async () => {
    await using kernel = await open({files: {'../a/x': '', 'a.txt': ''}});
    const workspace = await kernel.service('workspace');
    const parent = dirname(kernel.project);
    await expect(workspace.add(['../a', '../none', 'a.txt', '', 'x\0'], {scope: 'session'})).rejects.toMatchObject({
      code: 'DIRECTORY_MISSING',
      message:
        `Directory ${parent}/none does not exist. ${kernel.project}/a.txt is not a directory. The path is ` +
        'empty. The path "x\\u0000" contains a NUL character.',
      data: {
        problems: [
          {given: '../none', code: 'DIRECTORY_MISSING'},
          {given: 'a.txt', code: 'DIRECTORY_NOT_A_DIRECTORY'},
          {given: '', code: 'DIRECTORY_MISSING'},
          {given: 'x\0', code: 'DIRECTORY_MISSING'},
        ],
      },
    });
    expect(await roots(kernel)).toEqual(['cwd project']);
  });

  test.each([
    ['restrictive-open', 'WORKSPACE_CONFINED'],
    ['strict-closed', 'WORKSPACE_CONFINED'],
    ['permissive-open', undefined],
  ])('under the sandbox profile %s: %s', async (profile, code) => {
    await using kernel = await open({files: {'../a/x': ''}, variables: {SEATBELT_PROFILE: profile}});
    const workspace = await kernel.service('workspace');
    const outcome = await workspace.add(['../a'], {scope: 'session'}).then(
      () => undefined,
      (error: {code: string}) => error.code,
    );
    expect([outcome, (await workspace.add(['../a'], {scope: 'project'})).added]).toEqual([
      code,
      [join(dirname(kernel.project), 'a')],
    ]);
  });
});

test(
  'inside a conversation a restrictive sandbox profile refuses what would be kept too, for it would count at once ' +
    '[workspace.confined]',
  async () => {
    await using kernel = await open({files: {'../a/x': ''}, variables: {SEATBELT_PROFILE: 'strict-open'}});
    const session = kernel.kernel.open({live: true});
    await expect((await session.service('workspace')).add(['../a'], {scope: 'project'})).rejects.toMatchObject({
      code: 'WORKSPACE_CONFINED',
      message:
        'The sandbox profile strict-open fixes the directories at the start, so you cannot add any to this session.',
      hint: 'Restart with --include-directories <path>.',
    });
  },
);

describe('kept in settings', () => {
  test('go to the end of the list of that layer alone', async () => {
    await using kernel = await open({
      files: {'.gemini/settings.json': include('../a'), '../a/x': '', '../b/x': '', '../c/x': ''},
      homeFiles: {'.gemini/settings.json': include('../b')},
    });
    const workspace = await kernel.service('workspace');
    const parent = dirname(kernel.project);
    const [toProject, toUser] = await Promise.all([
      workspace.add(['../c', '../a', '.'], {scope: 'project'}),
      workspace.add(['../c'], {scope: 'user'}),
    ]);
    expect([toProject.added, toProject.present, toUser.added]).toEqual([
      [join(parent, 'c')],
      [join(parent, 'a'), kernel.project],
      [join(parent, 'c')],
    ]);
    const {layers} = await (await kernel.service('settings')).explain('context.includeDirectories');
    expect(layers.filter(({layer}) => layer !== 'default').map(({layer, value}) => [layer, value])).toEqual([
      ['user', ['../b', join(parent, 'c')]],
      ['workspace', ['../a', '../c']],
    ]);
    expect(await roots(kernel)).toEqual(['cwd project', 'settings b', 'settings c', 'settings a']);
  });

  test('two additions at once are both kept', async () => {
    await using kernel = await open({files: {'../a/x': '', '../b/x': ''}});
    const workspace = await kernel.service('workspace');
    await Promise.all([workspace.add(['../a'], {scope: 'project'}), workspace.add(['../b'], {scope: 'project'})]);
    expect(await (await kernel.service('settings')).get('context.includeDirectories')).toEqual(['../a', '../b']);
  });

  test('of a project are kept as typed where that means the same for everyone [directories.portable]', async () => {
    const libs = await temporaryDirectory({'one/x': ''});
    await using kernel = await open({
      files: {'../a/x': '', 'sub/x': ''},
      homeFiles: {'notes/x': ''},
      variables: {LIBS: libs.path},
    });
    const [workspace, settings] = [await kernel.service('workspace'), await kernel.service('settings')];
    const given = ['../a', './sub', '~/notes', '$LIBS/one', `${kernel.project}/../a`];
    const {added} = await workspace.add(given, {scope: 'project'});
    const parent = dirname(kernel.project);
    expect(added).toEqual([
      join(parent, 'a'),
      join(kernel.project, 'sub'),
      join(kernel.home, 'notes'),
      join(libs.path, 'one'),
    ]);
    const {context} = JSON.parse(await readFile(join(kernel.project, '.gemini', 'settings.json'), 'utf8')) as {
      context: object;
    };
    expect(context).toEqual({includeDirectories: ['../a', './sub', '~/notes', '$LIBS/one']});
    // A new session works the real paths out, and says both.
    const again = await kernel.kernel.open().service('workspace');
    const from = join(kernel.project, '.gemini', 'settings.json');
    expect((await again.roots()).slice(1)).toEqual([
      {path: join(parent, 'a'), source: 'settings', from, given: '../a'},
      {path: join(kernel.project, 'sub'), source: 'settings', from, given: './sub'},
      {path: join(kernel.home, 'notes'), source: 'settings', from, given: '~/notes'},
      // As written, with variables expanded: that is its path.
      {path: join(libs.path, 'one'), source: 'settings', from},
    ]);
    expect(await settings.get('context.includeDirectories')).toContain('../a');
    await libs[Symbol.asyncDispose]();
  });

  test('a yes holds for the real path: a link that leads elsewhere is asked about again [directories.portable]', async () => {
    await using kernel = await open({files: {'../a/x': '', '../b/x': ''}});
    const parent = dirname(kernel.project);
    await symlink('../a', join(kernel.project, 'lib'));
    await (await kernel.service('workspace')).add(['lib'], {scope: 'project'});
    const rootsOf = async (): Promise<readonly (readonly string[])[]> => {
      const workspace = await kernel.kernel.open().service('workspace');
      return [
        (await workspace.roots()).map(({path}) => path),
        (await workspace.pending()).map(({path, given}) => `${given} ${path}`),
      ];
    };
    expect(await rootsOf()).toEqual([[kernel.project, join(parent, 'a')], []]);
    await rm(join(kernel.project, 'lib'));
    await symlink('../b', join(kernel.project, 'lib'));
    expect(await rootsOf()).toEqual([[kernel.project], [`lib ${join(parent, 'b')}`]]);
  });

  test(
    'are removed by path or as written, comments kept, and asked about again when they come back ' +
      '[directories.remove]',
    async () => {
      await using kernel = await open({
        files: {
          '../a/x': '',
          '../b/x': '',
          '.gemini/settings.json':
            '{\n  // mine\n  "context": {"includeDirectories": ["../a", "../b", "$GONE/x"]}\n}\n',
        },
      });
      const workspace = await kernel.service('workspace');
      const parent = dirname(kernel.project);
      const file = join(kernel.project, '.gemini', 'settings.json');
      await workspace.add(['../a', '../b'], {scope: 'project'});
      await expect(workspace.remove(['../a', '../never'], {scope: 'project'})).rejects.toMatchObject({
        code: 'DIRECTORY_NOT_KEPT',
        message: `context.includeDirectories in ${file} does not contain "../never".`,
      });
      expect(await workspace.remove([join(parent, 'a'), '$GONE/x'], {scope: 'project'})).toMatchObject({
        removed: [join(parent, 'a'), expect.any(String)],
        from: file,
      });
      expect(await readFile(file, 'utf8')).toBe('{\n  // mine\n  "context": {"includeDirectories": ["../b"]}\n}\n');
      const agreed = JSON.parse(
        await readFile(join(kernel.home, '.gemini', 'includedDirectories.json'), 'utf8'),
      ) as Record<string, readonly string[]>;
      expect(agreed[kernel.project]).toEqual([join(parent, 'b')]);
      await expect(workspace.remove(['../b'], {scope: 'user'})).rejects.toMatchObject({
        code: 'DIRECTORY_NOT_KEPT',
        message: 'context.includeDirectories in the user settings does not contain "../b".',
      });
    },
  );
});

test('a directory that may not be listed is refused, and left out when settings name it [search.lost-roots]', async () => {
  await using folder = await temporaryDirectory({
    'project/.gemini/settings.json': include('../closed'),
    'closed/x': '',
    home: null,
  });
  await chmod(join(folder.path, 'closed'), 0o311);
  const run = (...words: readonly string[]): string => {
    const [node, ...before] = [...nodeUnderModes().slice(0, -1), process.execPath];
    const {stdout, stderr, status} = spawnSync(node ?? '', [...before, join(checkout, 'bin', 'gemini.cjs'), ...words], {
      cwd: join(folder.path, 'project'),
      env: isolate(join(folder.path, 'home')),
      encoding: 'utf8',
    });
    return `${status} ${stdout}${stderr}`;
  };
  const sentence = `Directory ${folder.path}/closed cannot be listed: permission denied.`;
  expect(run('directory', 'add', '../closed')).toContain(
    `Error: ${sentence}\nAsk the owner for permission to read and enter it.\n`,
  );
  expect(run('directory', 'show')).toContain(`${sentence} Ignoring this entry.`);
  await chmod(join(folder.path, 'closed'), 0o755);
});

test('the ignore settings count, and a caller may say otherwise', async () => {
  await using kernel = await open({
    files: {
      '.gemini/settings.json': JSON.stringify({
        context: {fileFiltering: {respectGeminiIgnore: false, customIgnoreFilePaths: ['more.ignore']}},
      }),
      '.gitignore': 'by-git\n',
      '.geminiignore': 'by-gemini\n',
      'more.ignore': 'by-custom\n',
    },
  });
  await mkdir(join(kernel.project, '.git'));
  await kernel.service('workspace').then((workspace) => workspace.roots());
  const workspace = await kernel.service('workspace');
  const paths = ['by-gemini', join(kernel.project, 'by-custom'), 'other', '.git'];
  expect([await workspace.ignored(paths), await workspace.ignored(paths, {gemini: true})]).toEqual([
    [false, true, false, true],
    [true, true, false, true],
  ]);
});

test('an explanation tells the real path, the root and the line that ignores it', async () => {
  await using kernel = await open({files: {'.geminiignore': '# build\nout/\nlink\n', 'out/a': '', 'b': ''}});
  await symlink('b', join(kernel.project, 'link'));
  const workspace = await kernel.service('workspace');
  const root = {path: kernel.project, source: 'cwd'};
  const file = join(kernel.project, '.geminiignore');
  expect(await Promise.all(['out/a', 'link', 'none', '/'].map((path) => workspace.explain(path)))).toEqual([
    {
      given: 'out/a',
      real: join(kernel.project, 'out/a'),
      exists: true,
      root,
      ignoredBy: {file, line: 2, pattern: 'out/'},
    },
    {given: 'link', real: join(kernel.project, 'b'), exists: true, root, ignoredBy: {file, line: 3, pattern: 'link'}},
    {given: 'none', real: join(kernel.project, 'none'), exists: false, root},
    {given: '/', real: '/', exists: true},
  ]);
});

test.each([
  ['~', '/home/me'],
  ['~/a', '/home/me/a'],
  ['%userprofile%\\a', '/home/me\\a'],
  ['%USERPROFILE%', '/home/me'],
  ['~other/a', '~other/a'],
  ['a/~', 'a/~'],
])('%s stands for %s', (given, expected) => {
  expect(expandHome(given, '/home/me')).toBe(expected);
});
