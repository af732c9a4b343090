import {mkdir, readFile, rm, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {builtModule} from './built-module.js';
import {temporaryDirectory} from './temporary-directory.js';

const {expandHome} = await builtModule<typeof import('../../../plugins/workspace/src/directory.js')>('directory.js');

const plugins = ['settings', 'trust', 'workspace'].map(pluginRoot);
const TRUSTED = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
const include = (...directories: readonly string[]): string => JSON.stringify({context: {includeDirectories: directories}});

// A plugin that writes down what it hears.
const WATCHER = {
  manifestVersion: 1, name: 'watcher', version: '1.0.0', description: 'Watches.', kernel: '*', requires: {services: {}},
  tools: [], services: [], hooks: [], listeners: [{hook: 'workspace:changed', module: './listener.mjs'}], commands: [], flags: [], errors: {},
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

test('come from the current directory, the settings, the flag and the editor, in this order, each real path once [workspace.roots]', async () => {
  await using kernel = await open({
    files: {'.gemini/settings.json': include('sub', './'), '../a/x': '', '../b/x': '', '../c/x': '', '../d/x': '', 'sub/x': ''},
    homeFiles: {'.gemini/settings.json': include('~/notes', '../a'), 'notes/x': ''},
    flags: {'context.includeDirectories': ['../c', '../a', 'sub']},
    variables: {GEMINI_CLI_IDE_WORKSPACE_PATH: ['../d', ' ', '', '../none', '../c'].join(process.platform === 'win32' ? ';' : ':')},
  });
  expect(await roots(kernel)).toEqual(['cwd project', 'settings home/notes', 'settings a', 'settings project/sub', 'flag c', 'editor d']);
  expect(kernel.warnings).toEqual([]);
});

test('that an editor has open join for the session, but never what holds the whole home directory [workspace.editor-roots]', async () => {
  await using kernel = await open({files: {'../a/x': '', 'sub/x': ''}, homeFiles: {'notes/x': ''}, variables: {GEMINI_CLI_IDE_WORKSPACE_PATH: ['/', '../home'].join(process.platform === 'win32' ? ';' : ':')}});
  const workspace = await kernel.service('workspace');
  const home = join(dirname(kernel.project), 'home');
  expect(await workspace.add(['../a', home, '/', dirname(home), join(home, 'notes'), kernel.project], {scope: 'session', source: 'editor'})).toMatchObject({added: [join(dirname(kernel.project), 'a'), join(home, 'notes')], present: [kernel.project]});
  expect(await roots(kernel)).toEqual(['cwd project', 'editor a', 'editor home/notes']);
});

test('from settings that are no directories are left out with a warning that names file and path', async () => {
  await using kernel = await open({files: {'.gemini/settings.json': include('../none', 'a.txt', 'sub'), 'a.txt': '', 'sub/x': ''}});
  expect(await roots(kernel)).toEqual(['cwd project', 'settings project/sub']);
  const source = join(kernel.project, '.gemini/settings.json');
  expect(kernel.warnings).toEqual([
    `context.includeDirectories in ${source}: Directory ${dirname(kernel.project)}/none does not exist. It is left out.`,
    `context.includeDirectories in ${source}: ${kernel.project}/a.txt is not a directory. It is left out.`,
  ]);
});

describe('a flag', () => {
  test.each([
    ['that names nothing', ['../none'], 'DIRECTORY_MISSING', '--include-directories: Directory PARENT/none does not exist.'],
    ['that names a file', ['a.txt'], 'DIRECTORY_NOT_A_DIRECTORY', '--include-directories: PARENT/project/a.txt is not a directory.'],
    ['that goes in circles', ['loop'], 'DIRECTORY_UNREADABLE', '--include-directories: Directory PARENT/project/loop cannot be reached: its symbolic links run in a circle.'],
    ['with several faults', ['../none', 'sub', 'a.txt'], 'DIRECTORY_MISSING', '--include-directories: Directory PARENT/none does not exist. PARENT/project/a.txt is not a directory.'],
  ])('%s is an error that names it', async (_, given, code, message) => {
    await using kernel = await open({files: {'a.txt': '', 'sub/x': ''}, flags: {'context.includeDirectories': given}});
    await symlink('loop', join(kernel.project, 'loop'));
    // In a session of its own: the first one has looked already.
    await expect(kernel.kernel.open().service('workspace')).rejects.toMatchObject({code, message: message.replaceAll('PARENT', dirname(kernel.project))});
    expect(kernel.kernel.catalog.exitCodeOf(code)).toBe(42);
  });
});

test('a current directory that is gone is said', async () => {
  await using kernel = await open({});
  await rm(kernel.project, {recursive: true});
  await expect(kernel.kernel.open().service('workspace')).rejects.toMatchObject({code: 'DIRECTORY_MISSING', message: `The current directory is gone or out of reach: ${kernel.project}.`});
});

describe('added to a session', () => {
  test('count at once, are announced once, and are not kept [workspace.announced]', async () => {
    await using folder = await temporaryDirectory({'listener.mjs': LISTENER});
    const watcher = {root: folder.path, origin: 'link', manifest: WATCHER} as const;
    await using kernel = await createTestKernel({variables: TRUSTED, plugins: [...plugins, watcher], files: {'../a/x': '', '../b/x': ''}});
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
      message: `Directory ${parent}/none does not exist. ${kernel.project}/a.txt is not a directory. The path is empty. The path "x\\u0000" holds a NUL character.`,
      data: {problems: [{given: '../none', code: 'DIRECTORY_MISSING'}, {given: 'a.txt', code: 'DIRECTORY_NOT_A_DIRECTORY'}, {given: '', code: 'DIRECTORY_MISSING'}, {given: 'x\0', code: 'DIRECTORY_MISSING'}]},
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
    const outcome = await workspace.add(['../a'], {scope: 'session'}).then(() => undefined, (error: {code: string}) => error.code);
    expect([outcome, (await workspace.add(['../a'], {scope: 'project'})).added]).toEqual([code, [join(dirname(kernel.project), 'a')]]);
  });
});

test('inside a conversation a restrictive sandbox profile refuses what would be kept too, for it would count at once [workspace.confined]', async () => {
  await using kernel = await open({files: {'../a/x': ''}, variables: {SEATBELT_PROFILE: 'strict-open'}});
  const session = kernel.kernel.open({live: true});
  await expect((await session.service('workspace')).add(['../a'], {scope: 'project'})).rejects.toMatchObject({
    code: 'WORKSPACE_CONFINED',
    message: 'The sandbox profile strict-open fixes the directories at the start, so none can be added to this session.',
    hint: 'Start again with --include-directories <path>.',
  });
});

describe('kept in settings', () => {
  test('go to the end of the list of that layer alone', async () => {
    await using kernel = await open({
      files: {'.gemini/settings.json': include('../a'), '../a/x': '', '../b/x': '', '../c/x': ''},
      homeFiles: {'.gemini/settings.json': include('../b')},
    });
    const workspace = await kernel.service('workspace');
    const parent = dirname(kernel.project);
    const [toProject, toUser] = await Promise.all([workspace.add(['../c', '../a', '.'], {scope: 'project'}), workspace.add(['../c'], {scope: 'user'})]);
    expect([toProject.added, toProject.present, toUser.added]).toEqual([[join(parent, 'c')], [join(parent, 'a'), kernel.project], [join(parent, 'c')]]);
    const {layers} = await (await kernel.service('settings')).explain('context.includeDirectories');
    expect(layers.filter(({layer}) => layer !== 'default').map(({layer, value}) => [layer, value])).toEqual([
      ['user', ['../b', join(parent, 'c')]],
      ['workspace', ['../a', join(parent, 'c')]],
    ]);
    expect(await roots(kernel)).toEqual(['cwd project', 'settings b', 'settings c', 'settings a']);
  });

  test('two additions at once are both kept', async () => {
    await using kernel = await open({files: {'../a/x': '', '../b/x': ''}});
    const workspace = await kernel.service('workspace');
    await Promise.all([workspace.add(['../a'], {scope: 'project'}), workspace.add(['../b'], {scope: 'project'})]);
    expect(await (await kernel.service('settings')).get('context.includeDirectories')).toEqual([join(dirname(kernel.project), 'a'), join(dirname(kernel.project), 'b')]);
  });
});

test('the ignore settings count, and a caller may say otherwise', async () => {
  await using kernel = await open({
    files: {
      '.gemini/settings.json': JSON.stringify({context: {fileFiltering: {respectGeminiIgnore: false, customIgnoreFilePaths: ['more.ignore']}}}),
      '.gitignore': 'by-git\n', '.geminiignore': 'by-gemini\n', 'more.ignore': 'by-custom\n',
    },
  });
  await mkdir(join(kernel.project, '.git'));
  await kernel.service('workspace').then((workspace) => workspace.roots());
  const workspace = await kernel.service('workspace');
  const paths = ['by-gemini', join(kernel.project, 'by-custom'), 'other', '.git'];
  expect([await workspace.ignored(paths), await workspace.ignored(paths, {gemini: true})]).toEqual([[false, true, false, true], [true, true, false, true]]);
});

test('an explanation tells the real path, the root and the line that ignores it', async () => {
  await using kernel = await open({files: {'.geminiignore': '# build\nout/\nlink\n', 'out/a': '', 'b': ''}});
  await symlink('b', join(kernel.project, 'link'));
  const workspace = await kernel.service('workspace');
  const root = {path: kernel.project, source: 'cwd'};
  const file = join(kernel.project, '.geminiignore');
  expect(await Promise.all(['out/a', 'link', 'none', '/'].map((path) => workspace.explain(path)))).toEqual([
    {given: 'out/a', real: join(kernel.project, 'out/a'), exists: true, root, ignoredBy: {file, line: 2, pattern: 'out/'}},
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
