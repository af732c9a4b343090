import {execFileSync, spawn} from 'node:child_process';
import {mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import {ExtensionLock} from '#plugins/extensions/dist/store/extension-lock.js';
import {installExtension, type Installed} from '#plugins/extensions/dist/store/install-extension.js';
import {parseSource} from '#plugins/extensions/dist/store/parse-source.js';
import {onPosix} from '../../helpers/where.js';
import {extension, makeFolder, writeFiles, type Folder} from './scene.js';

let place: Folder;
let lock: ExtensionLock;
beforeEach(async () => {
  place = await makeFolder();
  lock = new ExtensionLock(join(place.path, 'data'));
});
afterEach(() => place[Symbol.asyncDispose]());

const yes = (): FormAnswer => ({outcome: 'answered', values: {agreed: true}});

interface Wish {
  readonly answer?: (form: Form) => FormAnswer;
  readonly ref?: string;
  readonly name?: string;
  readonly signal?: AbortSignal;
}

async function install(source: string, {answer = yes, ref, name, signal}: Wish = {}): Promise<Installed> {
  return installExtension({
    lock,
    source: await parseSource(source, ref, place.path),
    environment: {platform: process.platform, variables: process.env},
    signal: signal ?? new AbortController().signal,
    means: {isAgreed: false, ask: (form) => Promise.resolve(answer(form)), show: () => undefined},
    ...(name === undefined ? {} : {name}),
    judge: () => Promise.resolve(),
  });
}

async function make(
  folder: string,
  manifest: object = {},
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeFiles(join(place.path, folder), extension({name: 'one', ...manifest}, files));
}

const installed = async (): Promise<readonly string[]> => Object.keys(await lock.read());

describe('an installation', () => {
  test('copies what was agreed to, and names it by its digest [extensions.install]', async () => {
    await make('one', {}, {'GEMINI.md': 'Be kind.', '.git/config': 'x', '.env': 'A=b', 'deep/er/a.txt': 'a'});
    const {tree} = await install('one');
    const folder = lock.folderOf('one', {tree});
    expect((await readdir(folder, {recursive: true})).sort()).toEqual(
      ['GEMINI.md', 'deep', 'deep/er', 'deep/er/a.txt', 'gemini-extension.json'].map((path) => join(path)),
    );
    expect((await lock.read())['one']).toMatchObject({version: '1.0.0', tree, source: {type: 'folder'}});
  });

  test('shows everything that it brings [extensions.install]', async () => {
    await make(
      'one',
      {
        mcpServers: {far: {command: 'node', args: ['a.mjs', '$TOKEN']}, web: {url: 'https://example.com/mcp'}},
        excludeTools: ['write_file'],
        settings: [{name: 'Token', envVar: 'TOKEN', sensitive: true}],
        themes: [{name: 'Deep'}],
        plan: {directory: 'docs/plans'},
      },
      {
        'GEMINI.md': 'x',
        'commands/git/commit.toml': 'prompt = "x"',
        'skills/a/SKILL.md': 'x',
        'hooks/hooks.json': '{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "rm -rf /"}]}]}}',
        'policies/a.toml': '',
        'agents/b.md': '',
        'agents/_draft.md': '',
        'agents/deep/c.md': '',
      },
    );
    const forms: Form[] = [];
    await install('one', {answer: (form) => (forms.push(form), yes())});
    expect(forms.map(({title, text}) => [title, text?.split('\n')])).toEqual([
      [
        `The extension one 1.0.0 from ${join(place.path, 'one')}`,
        [
          'Starts or reaches the MCP server "far": node a.mjs $TOKEN',
          'Starts or reaches the MCP server "web": https://example.com/mcp',
          'Runs at BeforeTool: rm -rf /',
          'Tells the model what is in GEMINI.md',
          'Adds commands: /git:commit',
          'Adds skills: a',
          'Adds rules that make calls stricter: a.toml',
          'Excludes tools: write_file',
          'Adds themes: Deep',
          'Keeps plans of a project in: docs/plans',
          'Reads your variables: TOKEN',
          'Asks for Token (TOKEN, secret)',
          'Gives the model agents: b',
        ],
      ],
    ]);
  });

  test.each([
    ['refused', {outcome: 'answered', values: {agreed: false}}, /was not installed\.$/],
    ['closed', {outcome: 'closed'}, /was not installed\.$/],
    ['asked of no one', {outcome: 'nobody'}, /there is no terminal to ask/],
  ] as const)('that is %s changes nothing [extensions.install]', async (_, answer, sentence) => {
    await make('one');
    await expect(install('one', {answer: () => answer})).rejects.toMatchObject({
      code: 'EXTENSION_REFUSED',
      message: expect.stringMatching(sentence) as unknown,
    });
    expect(await installed()).toEqual([]);
    expect(await readdir(join(lock.folder, 'extensions'))).toEqual([]);
  });

  test.each([
    ['a folder that is missing', 'two', 'EXTENSION_UNREACHABLE'],
    ['no manifest', 'empty', 'EXTENSION_INVALID'],
    ['an address with a password', 'https://me:secret@example.com/one', 'EXTENSION_INVALID'],
    ['an address without a repository', 'file:///nothing/here', 'EXTENSION_UNREACHABLE'],
  ])('%s is named [extensions.install]', async (_, source, code) => {
    await mkdir(join(place.path, 'empty'));
    await expect(install(source)).rejects.toMatchObject({code});
    expect(await installed()).toEqual([]);
  });

  onPosix('takes nothing that leads out of it or is not a file [extensions.install]', async () => {
    await make('one');
    const file = join(place.path, 'one', 'x');
    await writeFile(join(place.path, 'secret'), 'secret');
    for (const lay of [
      () => symlink('../secret', file),
      () => symlink(join(place.path, 'secret'), file),
      () => symlink('missing', file),
      () => Promise.resolve(void execFileSync('mkfifo', [file])),
    ]) {
      await lay();
      await expect(install('one')).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
      await rm(file);
    }
    await symlink('gemini-extension.json', file);
    expect(await install('one')).toMatchObject({isSame: false});
  });
});

describe('an update', () => {
  test('asks only for what is new, and keeps the version before [extensions.install]', async () => {
    await make('one', {excludeTools: ['a']});
    const first = await install('one');
    expect(await install('one', {answer: () => ({outcome: 'nobody'})})).toMatchObject({isSame: true});
    await make('one', {version: '1.1.0', excludeTools: ['a']});
    expect(await install('one', {answer: () => ({outcome: 'nobody'})})).toMatchObject({
      version: '1.1.0',
      before: '1.0.0',
    });
    await make('one', {version: '1.2.0', mcpServers: {far: {command: 'x'}}});
    const texts: (string | undefined)[] = [];
    await install('one', {answer: ({text}) => (texts.push(text), yes())});
    expect(texts).toEqual(['+ Starts or reaches the MCP server "far": x\n- Excludes tools: a']);
    expect(await readdir(join(lock.folder, 'extensions', 'one'))).toHaveLength(2);
    expect((await lock.read())['one']?.tree).not.toBe(first.tree);
  });

  test('never becomes another extension [extensions.install]', async () => {
    await make('one', {name: 'two'});
    await expect(install('one', {name: 'one'})).rejects.toMatchObject({
      code: 'EXTENSION_INVALID',
      message: expect.stringContaining('it is called two now, not one') as unknown,
    });
  });
});

test('git: one commit of the ref that was asked for, and nothing of the repository runs [extensions.install]', async () => {
  await make('one', {}, {'a.txt': 'first'});
  const folder = join(place.path, 'one');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: folder, encoding: 'utf8'}).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('tag', 'v1');
  await writeFile(join(folder, 'a.txt'), 'second');
  git('commit', '--quiet', '-am', 'second');
  const {source, tree} = await install(`file://${folder}`, {ref: 'v1'});
  expect(source).toEqual({type: 'git', location: `file://${folder}`, ref: 'v1', commit: git('rev-parse', 'v1')});
  expect(await readFile(join(lock.folderOf('one', {tree}), 'a.txt'), 'utf8')).toBe('first');
  await expect(install(`file://${folder}`, {ref: 'v9'})).rejects.toMatchObject({code: 'EXTENSION_UNREACHABLE'});
  await expect(parseSource(folder, 'v1', place.path)).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
  await expect(parseSource('file:///a', '--upload-pack=x', place.path)).rejects.toMatchObject({
    code: 'EXTENSION_INVALID',
  });
});

test('two at once: both are installed, one after the other [extensions.install]', async () => {
  await make('one');
  await make('two', {name: 'two'});
  await Promise.all([install('one'), install('two')]);
  expect(await installed()).toEqual(['one', 'two']);
});

test('a lock that is damaged is named, and not written over [extensions.install]', async () => {
  await make('one');
  await install('one');
  await writeFile(lock.file, '{"version": 1, "extensions": {"../x": {}}}');
  await expect(install('one')).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
  expect(await readFile(lock.file, 'utf8')).toContain('../x');
});

onPosix('killed at any time, it leaves what was installed or the new one [extensions.install]', async () => {
  await make('one', {}, {'a.txt': 'first'});
  const first = await install('one');
  await make(
    'one',
    {version: '2.0.0'},
    Object.fromEntries(Array.from({length: 300}, (_, at) => [`f${at}`, 'x'.repeat(5000)])),
  );
  const script = `
    const {ExtensionLock} = await import(${JSON.stringify(import.meta.resolve('#plugins/extensions/dist/store/extension-lock.js'))});
    const {installExtension} = await import(${JSON.stringify(import.meta.resolve('#plugins/extensions/dist/store/install-extension.js'))});
    process.stdout.write('go');
    await installExtension({lock: new ExtensionLock(${JSON.stringify(lock.folder)}), source: {type: 'folder', location: ${JSON.stringify(join(place.path, 'one'))}}, environment: {platform: process.platform, variables: {}}, signal: new AbortController().signal, means: {isAgreed: true, ask: async () => ({outcome: 'nobody'}), show() {}}, judge: async () => {}});`;
  for (const wait of [2, 8, 15, 25, 40]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {stdio: ['ignore', 'pipe', 'ignore']});
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sleep(wait);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const entry = (await lock.read())['one'];
    expect(['1.0.0', '2.0.0']).toContain(entry?.version);
    if (entry?.version === '1.0.0') expect(entry.tree).toBe(first.tree);
    const files = await readdir(lock.folderOf('one', entry ?? first));
    expect(files).toHaveLength(entry?.version === '1.0.0' ? 2 : 302);
  }
  // What was left is swept by the next installation.
  await install('one', {answer: yes});
  expect(await readdir(join(lock.folder, 'extensions', 'one'))).toHaveLength(2);
  expect(await readdir(join(lock.folder, 'extensions'))).toEqual(['one']);
  expect(await readdir(join(lock.folder, 'extensions'))).toEqual(['one']);
});

test('nothing is fetched from a source that rules refuse [extensions.install]', async () => {
  await make('one');
  const asked: string[] = [];
  const refused = new Error('Not allowed.');
  await expect(
    installExtension({
      lock,
      source: {type: 'git', location: `file://${join(place.path, 'gone')}`},
      environment: {platform: process.platform, variables: process.env},
      signal: new AbortController().signal,
      means: {isAgreed: true, ask: () => Promise.resolve({outcome: 'nobody'}), show: () => undefined},
      judge: (_, {location}) => (asked.push(location), Promise.reject(refused)),
    }),
  ).rejects.toBe(refused);
  expect(asked).toHaveLength(1);
});
