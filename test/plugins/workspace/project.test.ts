import {fork} from 'node:child_process';
import {createHash} from 'node:crypto';
import {chmod, mkdir, readdir, readFile, rmdir, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {slugOf} from '#plugins/workspace/dist/project-registry.js';

const plugins = [pluginRoot('settings'), pluginRoot('workspace')];
const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex');

function open(options: Omit<TestKernelOptions, 'plugins'> = {}): Promise<TestKernel> {
  return createTestKernel({plugins, ...options});
}

async function claim(kernel: TestKernel): Promise<ProjectFolder> {
  return (await kernel.service('project')).claim();
}

const registryOf = async ({home}: TestKernel): Promise<unknown> =>
  JSON.parse(await readFile(join(home, '.gemini', 'projects.json'), 'utf8'));

test('a project that was never claimed has no folder, and looking writes nothing', async () => {
  await using kernel = await open();
  expect(await (await kernel.service('project')).find()).toBeUndefined();
  expect(await readdir(kernel.home)).toEqual([]);
});

test('claiming gives a short name, marks both folders and keeps the name', async () => {
  await using kernel = await open();
  const folder = await claim(kernel);
  const at = (place: string): string => join(kernel.home, '.gemini', place, 'project');
  expect(folder).toEqual({
    root: kernel.project,
    slug: 'project',
    hash: hashOf(kernel.project),
    temporary: at('tmp'),
    history: at('history'),
  });
  expect(await registryOf(kernel)).toEqual({projects: {[kernel.project]: 'project'}});
  expect(
    await Promise.all([at('tmp'), at('history')].map((path) => readFile(join(path, '.project_root'), 'utf8'))),
  ).toEqual([kernel.project, kernel.project]);
  expect(await (await kernel.service('project')).find()).toEqual(folder);
  expect((await readdir(join(kernel.home, '.gemini'))).sort()).toEqual(['history', 'projects.json', 'tmp']);
});

test.each([
  ['Web App (2)', 'web-app-2'],
  ['--a__b--', 'a-b'],
  ['プロジェクト', 'project'],
  ['x', 'x'],
])('the folder %s is called %s', (name, slug) => {
  expect(slugOf(`/home/me/${name}`)).toBe(slug);
});

describe('a short name is given once', () => {
  test('one that the registry gives to another project is passed over', async () => {
    await using kernel = await open({
      homeFiles: {'.gemini/projects.json': JSON.stringify({projects: {'/elsewhere/project': 'project'}, note: 'kept'})},
    });
    expect((await claim(kernel)).slug).toBe('project-1');
    expect(await registryOf(kernel)).toEqual({
      note: 'kept',
      projects: {'/elsewhere/project': 'project', [kernel.project]: 'project-1'},
    });
  });

  test('one whose folder is marked for another project is passed over, though the registry does not know it', async () => {
    await using kernel = await open({homeFiles: {'.gemini/tmp/project/.project_root': '/elsewhere/project'}});
    expect((await claim(kernel)).slug).toBe('project-1');
    expect(await readFile(join(kernel.home, '.gemini/tmp/project/.project_root'), 'utf8')).toBe('/elsewhere/project');
  });

  test('a registry that gives this project the folder of another does not count', async () => {
    await using kernel = await open({homeFiles: {'.gemini/tmp/shared/.project_root': '/elsewhere/project'}});
    await writeFile(
      join(kernel.home, '.gemini/projects.json'),
      JSON.stringify({projects: {[kernel.project]: 'shared'}}),
    );
    expect((await claim(kernel)).slug).toBe('project');
    expect(await registryOf(kernel)).toEqual({projects: {[kernel.project]: 'project'}});
  });

  test('folders that are marked for this project are found again when the registry is lost', async () => {
    await using kernel = await open();
    await mkdir(join(kernel.home, '.gemini/history/old-name'), {recursive: true});
    await writeFile(join(kernel.home, '.gemini/history/old-name/.project_root'), kernel.project);
    expect((await (await kernel.service('project')).find())?.slug).toBe('old-name');
    expect((await claim(kernel)).slug).toBe('old-name');
    expect(await readFile(join(kernel.home, '.gemini/tmp/old-name/.project_root'), 'utf8')).toBe(kernel.project);
  });

  test('processes that claim projects of one name at the same time get a name each, and the registry has them all', async () => {
    await using kernel = await open();
    const names = await Promise.all(
      Array.from({length: 6}, async (_, index) => {
        const cwd = join(kernel.project, String(index), 'app');
        await mkdir(cwd, {recursive: true});
        return claimElsewhere(kernel.home, cwd);
      }),
    );
    expect([...names].sort()).toEqual(['app', 'app-1', 'app-2', 'app-3', 'app-4', 'app-5']);
    expect(Object.values(((await registryOf(kernel)) as {projects: Record<string, string>}).projects).sort()).toEqual(
      [...names].sort(),
    );
  });
});

/** The short name that a process of its own is given. */
function claimElsewhere(home: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('claim-project.js', import.meta.url), [home, cwd], {stdio: 'inherit', execArgv: []});
    child.on('message', (slug) => resolve(String(slug)));
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`The claiming process ended with ${code}.`)));
  });
}

test.each([
  ['no JSON', '{"projects": {', 'is not a JSON object'],
  ['no projects', '{}', 'has no object "projects"'],
  [
    'a name that would lead elsewhere',
    '{"projects": {"/x": "../../x"}}',
    'gives /x the name "../../x", which is not valid',
  ],
])(
  'a registry with %s is named and left as it is, and the project has its folder all the same',
  async (_, text, fault) => {
    await using kernel = await open({homeFiles: {'.gemini/projects.json': text}});
    expect((await claim(kernel)).slug).toBe('project');
    expect((await (await kernel.service('project')).find())?.slug).toBe('project');
    const path = join(kernel.home, '.gemini/projects.json');
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(kernel.warnings).toEqual([
      `${path} ${fault}. It is not changed; projects are found by the markers in their folders.`,
    ]);
  },
);

test('what an older release kept under the hash of the path is found, and copied when the project gets its name', async () => {
  await using kernel = await open();
  const older = join(kernel.home, '.gemini/tmp', hashOf(kernel.project));
  await mkdir(join(older, 'chats'), {recursive: true});
  await writeFile(join(older, 'chats/session-1.json'), '{}');
  expect((await (await kernel.service('project')).find())?.temporary).toBe(older);
  const {temporary} = await claim(kernel);
  expect(await readFile(join(temporary, 'chats/session-1.json'), 'utf8')).toBe('{}');
  expect(await readdir(older)).toEqual(['chats']);
});

test('a lock that a dead process left is broken, and one that is held is waited for', async () => {
  await using kernel = await open();
  const lock = join(kernel.home, '.gemini/projects.json.lock');
  await mkdir(lock, {recursive: true});
  const long = new Date(Date.now() - 60_000);
  await utimes(lock, long, long);
  expect((await claim(kernel)).slug).toBe('project');
  await expect(readdir(lock)).rejects.toMatchObject({code: 'ENOENT'});
});

test('a lock whose process was killed is broken at once, and one of Gemini CLI is left alone', async () => {
  await using kernel = await open();
  const lock = join(kernel.home, '.gemini/projects.json.lock');
  await mkdir(lock, {recursive: true});
  const {ino, mtimeMs} = await stat(lock);
  await writeFile(`${lock}.own`, `${ino} ${mtimeMs}`);
  const began = performance.now();
  expect((await claim(kernel)).slug).toBe('project');
  expect(performance.now() - began).toBeLessThan(3000);
  expect(await readdir(join(kernel.home, '.gemini'))).toEqual(['history', 'projects.json', 'tmp']);

  await using other = await open();
  const held = join(other.home, '.gemini/projects.json.lock');
  await mkdir(held, {recursive: true});
  await writeFile(`${held}.own`, `${ino} ${mtimeMs}`);
  const claiming = claim(other);
  await setTimeout(300);
  expect(await readdir(held)).toEqual([]);
  await rmdir(held);
  expect((await claiming).slug).toBe('project');
});

test('a file in the place of the folders stops claiming, and nothing goes round in circles', async () => {
  await using kernel = await open({homeFiles: {'.gemini/tmp': 'a file'}});
  await expect((await kernel.service('project')).claim()).rejects.toMatchObject({code: 'PROJECT_UNWRITABLE'});
});

const isRoot = process.getuid?.() === 0;

test('a home that cannot be written stops claiming only', async () => {
  // Root writes everywhere but below a file.
  await using kernel = await open(isRoot ? {homeFiles: {'.gemini': 'a file'}} : {});
  if (!isRoot) await chmod(kernel.home, 0o500);
  const project = await kernel.service('project');
  expect(await project.find()).toBeUndefined();
  await expect(project.claim()).rejects.toMatchObject({
    code: 'PROJECT_UNWRITABLE',
    hint: expect.stringContaining('GEMINI_CLI_HOME'),
  });
  await chmod(kernel.home, 0o700);
});
