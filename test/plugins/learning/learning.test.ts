import {mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {CallRecord, Entry} from '@gemini-kernel/plugin-agent/contract';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-learning/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';
import {findSignals} from '#plugins/learning/dist/reflect/find-signals.js';

const PLUGINS = ['settings', 'trust', 'env', 'network', 'workspace', 'policy', 'agent', 'sessions', 'learning'];

interface Scene extends AsyncDisposable {
  readonly kernel: TestKernel;
  readonly home: string;
  readonly memory: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string | undefined>;
}

/** A project whose memory folder has proposals; paths are below the home. */
async function openScene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const kernel = await createTestKernel({
    plugins: PLUGINS.map(pluginRoot),
    confirm: 'no',
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  const {home} = kernel.kernel.environment;
  const {temporary} = await (await kernel.service('project')).claim();
  const memory = join(temporary, 'memory');
  const placeOf = (path: string): string => path.replace(/^memory/, memory).replace(/^home/, home);
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(placeOf(path)), {recursive: true});
    await writeFile(placeOf(path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return {
    ...{kernel, home, memory, write},
    read: (path) => readFile(placeOf(path), 'utf8').catch(() => undefined),
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

const SKILL = '---\nname: release\ndescription: Releases. sessions\n---\nsessions: one-1, two-2\nTag it.\n';
const patch = (path: string, from: string, to: string): string =>
  `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

describe('the inbox [learning.inbox]', () => {
  test('applies a skill and a patch whole, and takes both back', async () => {
    await using scene = await openScene({
      'memory/skills/release/SKILL.md': SKILL,
      'memory/skills/release/scripts/tag.sh': 'git tag\n',
      'memory/.inbox/global/extraction.patch': patch('GEMINI.md', 'Be brief.', 'Be very brief.'),
      'home/.gemini/GEMINI.md': 'Be brief.\n',
    });
    const inbox = await scene.kernel.service('inbox');
    expect((await inbox.list()).map(({id, sessions, fault}) => ({id, sessions, fault}))).toEqual([
      {id: 'skill:release', sessions: ['one-1', 'two-2'], fault: undefined},
      {id: 'global:extraction', sessions: [], fault: undefined},
    ]);
    await inbox.apply('1', {scope: 'user'});
    expect(await scene.read('home/.gemini/skills/release/scripts/tag.sh')).toBe('git tag\n');
    await inbox.apply('global:extraction', {scope: 'user'});
    expect(await scene.read('home/.gemini/GEMINI.md')).toBe('Be very brief.\n');
    expect(await inbox.list()).toEqual([]);
    expect((await inbox.undo()).id).toBe('global:extraction');
    expect((await inbox.undo()).id).toBe('skill:release');
    expect(await scene.read('home/.gemini/GEMINI.md')).toBe('Be brief.\n');
    expect(await readdir(join(scene.home, '.gemini', 'skills'))).toEqual([]);
    expect(await inbox.list()).toHaveLength(2);
    await expect(inbox.undo()).rejects.toMatchObject({code: 'INBOX_UNDO'});
  });

  test('does not take back what was changed since', async () => {
    await using scene = await openScene({
      'memory/.inbox/global/a.patch': patch('GEMINI.md', 'Old.', 'New.'),
      'home/.gemini/GEMINI.md': 'Old.\n',
    });
    const inbox = await scene.kernel.service('inbox');
    await inbox.apply('1', {scope: 'user'});
    await scene.write('home/.gemini/GEMINI.md', 'Mine.\n');
    await expect(inbox.undo()).rejects.toMatchObject({code: 'INBOX_UNDO'});
    expect(await scene.read('home/.gemini/GEMINI.md')).toBe('Mine.\n');
  });

  test.each([
    ['does not fit', 'global', patch('GEMINI.md', 'Something else.', 'x'), 'It does not fit'],
    ['another file', 'global', patch('settings.json', '{}', '{"a": 1}'), 'It may not change'],
    ['a way out', 'private', patch('../../../settings.json', '{}', '{"a": 1}'), 'It may not change'],
    ['an absolute path', 'private', patch('/etc/hosts', 'a', 'b'), 'It may not change'],
    ['the inbox', 'private', patch('.inbox/x', 'a', 'b'), 'It may not change'],
    [
      'an unnamed sibling',
      'private',
      '--- /dev/null\n+++ facts.md\n@@ -0,0 +1 @@\n+A fact.\n',
      'without a line about it',
    ],
    [
      'half of it fits',
      'private',
      `${patch('MEMORY.md', 'One.', 'Two.')}${patch('b.md', 'No.', 'x')}`,
      'It does not fit',
    ],
    ['no diff', 'private', 'Remember this.\n', 'It has no hunks.'],
  ])('keeps a patch with a fault, and never applies it: %s', async (_, scope, text, fault) => {
    await using scene = await openScene({
      [`memory/.inbox/${scope}/bad.patch`]: text,
      'memory/MEMORY.md': 'One.\n',
      'memory/b.md': 'Yes.\n',
      'home/.gemini/GEMINI.md': 'Be brief.\n',
    });
    const inbox = await scene.kernel.service('inbox');
    expect(await inbox.list()).toMatchObject([{id: `${scope}:bad`, fault: expect.stringContaining(fault)}]);
    await expect(inbox.apply('1', {scope: 'user'})).rejects.toMatchObject({code: 'INBOX_INVALID'});
    expect(await scene.read('memory/MEMORY.md')).toBe('One.\n');
    expect(await inbox.list()).toHaveLength(1);
    await inbox.dismiss('1');
    await expect(inbox.find('1')).rejects.toMatchObject({code: 'INBOX_UNKNOWN'});
  });

  test('a link on the way is a fault', async () => {
    await using scene = await openScene({
      'home/elsewhere/SKILL.md': 'Old.\n',
      'home/.gemini/skills/.keep': '',
      'memory/skills/a.patch': patch('linked/SKILL.md', 'Old.', 'New.'),
    });
    await symlink(join(scene.home, 'elsewhere'), join(scene.home, '.gemini', 'skills', 'linked'));
    const inbox = await scene.kernel.service('inbox');
    expect(await inbox.list()).toMatchObject([{fault: expect.stringContaining('A link leads to')}]);
    expect(await scene.read('home/elsewhere/SKILL.md')).toBe('Old.\n');
  });

  test('what cannot be written leaves everything as it was', async () => {
    await using scene = await openScene({
      'memory/.inbox/private/two.patch': `${patch('MEMORY.md', 'One.', 'Two.')}${patch('b.md', 'Yes.', 'No.')}`,
      'memory/MEMORY.md': 'One.\n',
      'memory/b.md': 'Yes.\n',
    });
    const inbox = await scene.kernel.service('inbox');
    // Nothing can be remembered, so nothing may be done.
    await writeFile(join(scene.memory, '.undo'), 'in the way');
    await expect(inbox.apply('1', {scope: 'user'})).rejects.toMatchObject({code: 'INBOX_UNWRITABLE'});
    expect(await scene.read('memory/MEMORY.md')).toBe('One.\n');
    expect(await scene.read('memory/b.md')).toBe('Yes.\n');
    await rm(join(scene.memory, '.undo'));
    expect(await inbox.apply('1', {scope: 'user'})).toMatchObject({done: 'applied'});
  });
});

test('no session is sent where nothing takes secrets out [learning.extraction]', async () => {
  await using scene = await openScene({});
  await expect((await scene.kernel.service('learning')).now()).rejects.toMatchObject({code: 'LEARNING_UNSAFE'});
});

test('commands show, ask, apply and take back [learning.inbox]', async () => {
  await using place = await openAgentPlace({script: [says('Hi.')]});
  await place.ask(['-p', 'hello']);
  const tmp = join(place.home, '.gemini', 'tmp');
  const [project = ''] = (await readdir(tmp)).filter((name) => name !== 'bin');
  const skill = join(tmp, project, 'memory', 'skills', 'release');
  await mkdir(skill, {recursive: true});
  await writeFile(join(skill, 'SKILL.md'), SKILL);
  expect((await place.run(['inbox', 'list'])).stdout).toContain('learned in one-1, two-2');
  expect(await place.run(['inbox', 'apply', '1', '--json'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('INBOX_NOT_AGREED'),
  });
  expect(await place.run(['inbox', 'apply', '1', '--consent', '--json'])).toMatchObject({code: 0});
  expect((await place.run(['skills', 'list'])).stdout).toContain('release');
  expect((await place.run(['inbox', 'undo'])).stdout).toContain('it waits in the inbox again');
  expect((await place.run(['reflect'])).stdout).toContain('Nothing stands out.');
}, 90_000);

test('no agent writes a proposal: by tool, shell, link or subagent, in the loosest mode [learning.closed]', async () => {
  await using place = await openAgentPlace({
    script: [says('Hi.')],
    files: {
      '../home/.gemini/agents/writer.md': '---\nname: writer\ndescription: Writes.\n---\nYou are writer.\n',
    },
  });
  await place.ask(['-p', 'hello']);
  const tmp = join(place.home, '.gemini', 'tmp');
  const [project = ''] = (await readdir(tmp)).filter((name) => name !== 'bin');
  const memory = join(tmp, project, 'memory');
  await mkdir(join(memory, '.inbox', 'global'), {recursive: true});
  await symlink(memory, join(place.project, 'notes'));
  const write = (path: string): [string, object] => ['write_file', {file_path: path, content: 'Obey.'}];
  const main = [
    callsTools(write(join(memory, '.inbox/global/x.patch'))),
    callsTools(['run_shell_command', {command: `echo Obey > ${join(memory, '.inbox/global/y.patch')}`}]),
    callsTools(write('notes/.inbox/global/z.patch')),
    callsTools(['invoke_agent', {agent_name: 'writer', prompt: 'Write.'}]),
    says('Done.'),
  ];
  let asked = false;
  place.server.script(({system}) => {
    if (!system.startsWith('You are writer.')) return main.shift() ?? says('Done.');
    if (asked) return says('Tried.');
    asked = true;
    return callsTools(write(join(memory, '.inbox/global/w.patch')));
  });
  await place.ask(['-y', '-p', 'learn']);
  expect(asked).toBe(true);
  expect(await readdir(join(memory, '.inbox', 'global'))).toEqual([]);
}, 60_000);

describe('reflection [learning.reflect]', () => {
  const call = (at: number, rest: Partial<CallRecord>): CallRecord => ({
    ...{id: `c${at}`, name: 'run_shell_command', input: {}, status: 'done', output: [], ms: 1, time: ''},
    ...rest,
  });
  const entry = (calls: readonly CallRecord[]): Entry => ({
    ...{id: 'm', time: '', kind: 'model', message: {role: 'model', pieces: []}, calls},
  });
  const times = (count: number, rest: Partial<CallRecord>): Entry =>
    entry(Array.from({length: count}, (_, at) => call(at, rest)));
  const prompt = (text: string): Entry => ({
    ...{id: 'p', time: '', kind: 'user', origin: 'person', shown: text, message: {role: 'user', pieces: []}},
  });

  test.each<[string, readonly Entry[], object]>([
    [
      'refusals of a command',
      [times(3, {status: 'refused', input: {command: 'npm test -- --watch'}})],
      {kind: 'rule', command: 'gemini why c0', text: expect.stringContaining('commandPrefix = "npm test"')},
    ],
    [
      'failures of a command',
      [times(3, {status: 'failed', input: {command: 'make all'}})],
      {kind: 'fact', sentence: expect.stringContaining('"make all" failed 3 times')},
    ],
    [
      'searches in a row',
      [prompt('Where is it?'), times(8, {name: 'grep_search'})],
      {kind: 'fact', sentence: expect.stringContaining('8 searches in a row for "Where is it?"')},
    ],
    [
      'reads of one file',
      [times(4, {name: 'read_file', input: {file_path: 'src/a.ts'}})],
      {kind: 'fact', sentence: expect.stringContaining('"src/a.ts" was read 4 times')},
    ],
    [
      'one prompt again and again',
      [prompt("fix the linter's errors"), prompt("fix the linter's errors"), prompt("fix the linter's errors")],
      {kind: 'command', command: String.raw`gemini commands new fix-the-linter --prompt 'fix the linter'\''s errors'`},
    ],
  ])('%s are found once there are enough', (_, entries, finding) => {
    expect(findSignals(entries)).toMatchObject([finding]);
    expect(
      findSignals(
        (entries.length > 1 ? entries.slice(1) : entries).map((one) => ({...one, calls: one.calls?.slice(1) ?? []})),
      ),
    ).toEqual([]);
  });
});
