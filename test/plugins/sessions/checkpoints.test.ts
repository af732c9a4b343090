import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {Restored, Sessions} from '@gemini-kernel/plugin-sessions/contract';
import {converse, said, turn, type Conversation, type ConversationOptions} from './conversation.js';

const NOTHING: Restored = {restored: [], removed: [], changed: [], guarded: [], lost: []};

interface Work extends Conversation {
  readonly sessions: Sessions;
  /** A file of the project. */
  at(name: string): string;
  read(name: string): Promise<string | undefined>;
  ask(id: string): Promise<void>;
}

async function work(options: ConversationOptions = {}): Promise<Work> {
  const talk = await converse(options);
  const at = (name: string): string => join(talk.project, name);
  return {
    ...talk,
    at,
    sessions: await talk.service('sessions'),
    read: (name) =>
      readFile(at(name), 'utf8').catch((error: {code?: string}) =>
        error.code === 'ENOENT' ? undefined : Promise.reject(error as Error),
      ),
    ask: (id) => talk.agent.change({kind: 'put', entry: said(id, `Do ${id}`)}),
  };
}

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], {cwd, stdio: 'ignore'});
}

describe('files are kept before a tool changes them', () => {
  test('and a rewind brings back what was changed or deleted, and takes away what was made', async () => {
    await using talk = await work({files: {'a.txt': 'one\r\n', 'b.txt': Buffer.from([0, 255, 10])}});
    await chmod(talk.at('a.txt'), 0o750);
    await talk.ask('q1');
    await talk.act('hand_edit', {[talk.at('a.txt')]: 'two', [talk.at('new.txt')]: 'new'});
    await talk.ask('q2');
    await talk.act('hand_edit', {[talk.at('a.txt')]: 'three', [talk.at('b.txt')]: null});
    expect(await talk.sessions.rewind('current', '1', {what: 'both', force: false})).toEqual({
      text: 'Do q1',
      files: {...NOTHING, restored: [talk.at('a.txt'), talk.at('b.txt')], removed: [talk.at('new.txt')]},
    });
    expect([
      await talk.read('a.txt'),
      await readFile(talk.at('b.txt')),
      await talk.read('new.txt'),
      (await stat(talk.at('a.txt'))).mode & 0o777,
    ]).toEqual(['one\r\n', Buffer.from([0, 255, 10]), undefined, 0o750]);
    expect(await talk.agent.history()).toEqual([]);
    expect((await readdir(talk.project)).sort()).toEqual(['a.txt', 'b.txt']);
  });

  test('and only what came from a prompt on goes back', async () => {
    await using talk = await work({files: {'a.txt': '0'}});
    for (const id of ['1', '2', '3']) {
      await talk.ask(`q${id}`);
      await talk.act('hand_edit', {[talk.at('a.txt')]: id});
    }
    expect((await talk.sessions.prompts('current')).map(({number, text, files}) => [number, text, files])).toEqual([
      [1, 'Do q1', 1],
      [2, 'Do q2', 1],
      [3, 'Do q3', 1],
    ]);
    await talk.sessions.rewind('current', 'q3', {what: 'files', force: false});
    expect([await talk.read('a.txt'), (await talk.agent.history()).length]).toEqual(['2', 3]);
    await talk.sessions.rewind('current', '2', {what: 'conversation', force: false});
    expect([await talk.read('a.txt'), (await talk.agent.history()).length]).toEqual(['2', 1]);
  });

  test('and what someone else changed since is named and stays, unless forced', async () => {
    await using talk = await work({files: {'a.txt': '0', 'b.txt': '0'}});
    await talk.ask('q');
    await talk.act('hand_edit', {[talk.at('a.txt')]: '1', [talk.at('b.txt')]: '1', [talk.at('made.txt')]: '1'});
    await writeFile(talk.at('a.txt'), 'mine');
    await writeFile(talk.at('made.txt'), 'mine');
    await expect(talk.sessions.rewind('current', 'q', {what: 'both', force: false})).rejects.toMatchObject({
      code: 'CHECKPOINT_CONFLICT',
      data: {files: [talk.at('a.txt')]},
    });
    expect([await talk.read('a.txt'), await talk.read('b.txt'), (await talk.agent.history()).length]).toEqual([
      'mine',
      '1',
      1,
    ]);
    expect(await talk.sessions.restore('current', '1', {force: true})).toEqual({
      ...NOTHING,
      restored: [talk.at('a.txt'), talk.at('b.txt')],
      changed: [talk.at('made.txt')],
    });
    expect([await talk.read('a.txt'), await talk.read('made.txt')]).toEqual(['0', 'mine']);
  });

  test('and what a person changed between two calls counts as theirs', async () => {
    await using talk = await work({files: {'a.txt': '0'}});
    await talk.ask('q');
    await talk.act('hand_edit', {[talk.at('a.txt')]: '1'});
    await writeFile(talk.at('a.txt'), 'mine');
    await talk.act('hand_edit', {[talk.at('a.txt')]: '2'});
    await expect(talk.sessions.restore('current', '1', {force: false})).rejects.toMatchObject({
      code: 'CHECKPOINT_CONFLICT',
    });
    expect(await talk.sessions.restore('current', '2', {force: false})).toEqual({
      ...NOTHING,
      restored: [talk.at('a.txt')],
    });
    expect(await talk.read('a.txt')).toBe('mine');
  });

  test('and a restore can be undone itself', async () => {
    await using talk = await work({files: {'a.txt': '0'}});
    await talk.ask('q');
    await talk.act('hand_edit', {[talk.at('a.txt')]: '1'});
    await talk.sessions.restore('current', '1', {force: false});
    expect((await talk.sessions.checkpoints('current')).map(({tool, files}) => [tool, files])).toEqual([
      ['hand_edit', [talk.at('a.txt')]],
      ['restore', [talk.at('a.txt')]],
    ]);
    await talk.sessions.restore('current', '2', {force: false});
    expect(await talk.read('a.txt')).toBe('1');
  });

  test('and a folder that has become a link out of the workspace is not written through', async () => {
    await using talk = await work({files: {'sub/a.txt': '0'}});
    await talk.ask('q');
    await talk.act('hand_edit', {[talk.at('sub/a.txt')]: '1'});
    const outside = join(dirname(talk.project), 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'a.txt'), '1');
    await rm(talk.at('sub'), {recursive: true});
    await symlink(outside, talk.at('sub'));
    expect(await talk.sessions.restore('current', '1', {force: true})).toEqual({
      ...NOTHING,
      lost: [{path: talk.at('sub/a.txt'), reason: 'it is no longer in the workspace'}],
    });
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('1');
  });

  test('and after the conversation is over they are brought back as well', async () => {
    await using talk = await work({files: {'a.txt': '0'}});
    const entries = await turn(talk, 'one');
    await talk.ask('q');
    await talk.act('hand_edit', {[talk.at('a.txt')]: '1'});
    await turn(talk, 'two');
    await talk.live.close();
    const later = await talk.kernel.open().service('sessions');
    expect(await later.rewind('latest', '2', {what: 'both', force: false})).toEqual({
      text: 'Do q',
      files: {...NOTHING, restored: [talk.at('a.txt')]},
    });
    expect(await talk.read('a.txt')).toBe('0');
    expect((await later.list()).sessions).toHaveLength(1);
    await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    expect(await again.agent.load()).toEqual({entries});
  });

  test('and no checkpoint is made outside a conversation', async () => {
    await using talk = await work({files: {'a.txt': '0'}});
    const outcome = await talk.session.call(
      {tool: 'hand_edit', input: {files: {[talk.at('a.txt')]: '1'}}},
      {confirm: async () => ({decision: 'yes'})},
    );
    expect([outcome.status, await readdir(talk.home)]).toEqual(['done', []]);
  });
});

describe.each([
  ['without git', undefined],
  [
    'in a repository',
    (cwd: string) => {
      git(cwd, 'init', '-q');
      git(cwd, 'add', '-A');
      git(cwd, 'commit', '-q', '-m', 'x');
    },
  ],
])('files that a shell command changes are kept, %s', (_, prepare) => {
  test('changed, deleted and made ones, but not those that are ignored', async () => {
    await using talk = await work({
      files: {
        'a.txt': 'one',
        'sub/b.txt': 'two',
        '.gitignore': 'out/\n',
        'out/log': 'x',
        '.git/HEAD': 'ref: refs/heads/main\n',
      },
    });
    await rm(talk.at('.git'), {recursive: true});
    prepare?.(talk.project);
    await writeFile(talk.at('dirty.txt'), 'not committed');
    await talk.ask('q');
    await talk.act('hand_shell', {
      [talk.at('a.txt')]: 'ONE and more',
      [talk.at('sub/b.txt')]: null,
      [talk.at('dirty.txt')]: 'changed',
      [talk.at('new.txt')]: 'new',
      [talk.at('out/log')]: 'y',
    });
    const [checkpoint] = await talk.sessions.checkpoints('current');
    const changed = ['a.txt', 'dirty.txt', 'new.txt', 'sub/b.txt', ...(prepare ? [] : ['out/log'])].map(talk.at);
    expect([checkpoint?.tool, [...(checkpoint?.files ?? [])].sort(), checkpoint?.gaps]).toEqual([
      'hand_shell',
      changed.sort(),
      [],
    ]);
    const {files} = await talk.sessions.rewind('current', 'q', {what: 'both', force: false});
    expect({...files, restored: [...(files?.restored ?? [])].sort()}).toEqual({
      ...NOTHING,
      restored: changed.filter((path) => path !== talk.at('new.txt')),
      removed: [talk.at('new.txt')],
    });
    expect([
      await talk.read('a.txt'),
      await talk.read('sub/b.txt'),
      await talk.read('dirty.txt'),
      await talk.read('new.txt'),
    ]).toEqual(['one', 'two', 'not committed', undefined]);
    expect(talk.warnings).toEqual([]);
  });

  test('a command that changes nothing leaves no checkpoint', async () => {
    await using talk = await work({files: {'a.txt': 'one'}});
    prepare?.(talk.project);
    await talk.ask('q');
    await talk.act('hand_shell', {});
    expect(await talk.sessions.checkpoints('current')).toEqual([]);
  });

  test('one that is too large to be kept is named, once', async () => {
    await using talk = await work();
    prepare?.(await fillSome(talk.project));
    await writeFile(talk.at('big.bin'), Buffer.alloc(2 * 1024 * 1024, 1));
    await talk.ask('q');
    await talk.act('hand_shell', {[talk.at('big.bin')]: 'small'});
    const gap = `${talk.at('big.bin')} cannot be restored: git does not hold it, and it is larger than 1 MiB.`;
    expect((await talk.sessions.checkpoints('current'))[0]?.gaps).toEqual([gap]);
    expect(talk.warnings).toEqual([
      `Some changes that commands make here cannot be undone. A command changed ` +
        `${talk.at('big.bin')}, and its former content is not available: git does not hold it, and it is larger than 1 MiB.`,
    ]);
    expect(await talk.sessions.restore('current', '1', {force: false})).toEqual({
      ...NOTHING,
      lost: [{path: talk.at('big.bin'), reason: 'git does not hold it, and it is larger than 1 MiB'}],
    });
  });
});

async function fillSome(folder: string): Promise<string> {
  await writeFile(join(folder, 'some.txt'), 'some');
  return folder;
}
