import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {deflateSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import {machineMark} from '@gemini-kernel/files/writing';
import type {Restored, Sessions} from '@gemini-kernel/plugin-sessions/contract';
import {converse, said, type Conversation} from '../plugins/sessions/conversation.js';

const plugins = ['trust', 'policy'];
const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};

interface Work extends Conversation {
  readonly sessions: Sessions;
  at(name: string): string;
  /** Adds a line to the log of checkpoints, as a user with write access would. */
  forge(before: readonly {readonly path: string; readonly state: object}[]): Promise<void>;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

async function work(files: Readonly<Record<string, string>>): Promise<Work> {
  const talk = await converse({files, plugins, variables});
  await talk.agent.change({kind: 'put', entry: said('q', 'q')});
  const sessions = await talk.live.service('sessions');
  const folder = async (): Promise<string> => (await (await talk.live.service('recording')).place())?.folder ?? '';
  return {
    ...talk,
    sessions,
    at: (name) => join(talk.project, name),
    [Symbol.asyncDispose]: () => talk.close(),
    async forge(before) {
      const place = join(await folder(), 'checkpoints');
      const object = hash('evil');
      await mkdir(join(place, 'objects', object.slice(0, 2)), {recursive: true});
      await writeFile(join(place, 'objects', object.slice(0, 2), object.slice(2)), deflateSync(Buffer.from('evil')));
      const after = before.map(({path}) => ({path, state: {kind: 'absent'}}));
      await writeFile(
        join(place, 'log.jsonl'),
        `${JSON.stringify({id: 'forged', tool: 'write_file', time: '2026-01-01T00:00:00Z', before, after, gaps: []})}\n`,
      );
    },
  };
}

const evil = {kind: 'file', hash: hash('evil'), mode: 0o4755};
const left = ({lost, guarded}: Restored): readonly string[] => [...lost, ...guarded].map(({path}) => path).sort();
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

test.each([
  '.git/hooks/pre-commit',
  '.env',
  '.gemini/settings.json',
  '.gemini/policies/x.toml',
  'package.json',
  '.husky/pre-commit',
  'node_modules/x/index.js',
  '.ssh/authorized_keys',
  '.vscode/tasks.json',
  '.github/workflows/ci.yml',
  'GEMINI.md',
])('a changed log does not bring %s back [authority.restore]', async (name) => {
  await using talk = await work({'a.txt': '0'});
  await talk.forge([
    {path: talk.at(name), state: evil},
    {path: talk.at('a.txt'), state: {kind: 'unknown', reason: 'x'}},
  ]);
  const restored = await talk.sessions.restore('current', '1', {force: true});
  expect([restored.restored, left(restored), await isThere(talk.at(name))]).toEqual([
    [],
    [talk.at(name), talk.at('a.txt')].sort(),
    false,
  ]);
});

test('a changed log writes nothing outside the workspace, and makes no link that leads there [authority.restore]', async () => {
  await using talk = await work({'sub/a.txt': '0'});
  const outside = join(dirname(talk.project), 'outside');
  await mkdir(outside);
  await symlink(outside, talk.at('way'));
  const paths = [
    join(outside, 'x'),
    talk.at('way/x'),
    `${talk.project}/sub/../../outside/x`,
    'sub/x',
    `${talk.at('x')}\0y`,
  ];
  const link = {path: talk.at('link'), state: {kind: 'link', target: '/etc/passwd'}};
  await talk.forge([
    ...paths.map((path) => ({path, state: evil})),
    link,
    {path: talk.at('up'), state: {kind: 'link', target: '../outside'}},
    {path: talk.at('env'), state: {kind: 'link', target: '.env'}},
  ]);
  const restored = await talk.sessions.restore('current', '1', {force: true});
  expect([restored.restored, left(restored)]).toEqual([
    [],
    [...paths, talk.at('link'), talk.at('up'), talk.at('env')].sort(),
  ]);
  expect([await isThere(join(outside, 'x')), await isThere(talk.at('link'))]).toEqual([false, false]);
});

test(
  'a file comes back without the rights of its owner, and no wider than the umask or the file that was there ' +
    '[authority.restore]',
  async () => {
    await using talk = await work({'old.txt': '0'});
    await chmod(talk.at('old.txt'), 0o600);
    await talk.forge([
      {path: talk.at('new.txt'), state: evil},
      {path: talk.at('old.txt'), state: {...evil, mode: 0o4777}},
      {path: talk.at('odd.txt'), state: {...evil, mode: -1}},
    ]);
    const restored = await talk.sessions.restore('current', '1', {force: true});
    const modes = await Promise.all(
      ['new.txt', 'old.txt', 'odd.txt'].map(async (name) => (await stat(talk.at(name))).mode & 0o7777),
    );
    const umask = process.umask();
    expect([restored.restored.length, modes]).toEqual([3, [0o755 & ~umask, 0o600, 0o777 & ~umask]]);
  },
);

test('a file that has become a link is replaced itself, never what the link leads to [authority.restore]', async () => {
  await using talk = await work({'a.txt': '0', 'b.txt': 'b'});
  await chmod(talk.at('a.txt'), 0o640);
  await talk.act('hand_edit', {[talk.at('a.txt')]: '1'});
  await rm(talk.at('a.txt'));
  await symlink('b.txt', talk.at('a.txt'));
  expect(await talk.sessions.restore('current', '1', {force: true})).toMatchObject({restored: [talk.at('a.txt')]});
  const {mode} = await lstat(talk.at('a.txt'));
  expect([
    await readFile(talk.at('a.txt'), 'utf8'),
    await readFile(talk.at('b.txt'), 'utf8'),
    (await lstat(talk.at('a.txt'))).isFile(),
    mode & 0o777,
  ]).toEqual(['0', 'b', true, 0o640]);
});

test('a link inside the workspace comes back as the link it was [authority.restore]', async () => {
  await using talk = await work({'b.txt': 'b'});
  await symlink('b.txt', talk.at('link'));
  await talk.forge([{path: talk.at('again'), state: {kind: 'link', target: 'b.txt'}}]);
  expect(await talk.sessions.restore('current', '1', {force: true})).toMatchObject({restored: [talk.at('again')]});
  expect(await readlink(talk.at('again'))).toBe('b.txt');
});

test('a file that rules ask about comes back once a person says yes to it [authority.restore]', async () => {
  await using talk = await work({'package.json': '{}'});
  await talk.act('hand_edit', {[talk.at('package.json')]: '{"x": 1}'});
  expect(await talk.sessions.restore('current', '1', {force: false})).toMatchObject({
    restored: [],
    guarded: [{path: talk.at('package.json'), reason: expect.any(String)}],
  });
  expect(
    await talk.sessions.restore('current', '1', {force: false, approved: [talk.at('package.json')]}),
  ).toMatchObject({restored: [talk.at('package.json')], guarded: []});
  expect(await readFile(talk.at('package.json'), 'utf8')).toBe('{}');
});

test('what a killed restore left half written does not block a file, and is removed [authority.restore]', async () => {
  await using talk = await work({'a.txt': '0'});
  await talk.act('hand_edit', {[talk.at('a.txt')]: '1'});
  // The number of a process that has ended.
  const {pid} = spawnSync(process.execPath, ['--version']);
  const left = talk.at(`.a.txt.restoring.${machineMark()}-${pid}-0badcafe.tmp`);
  await writeFile(left, 'x');
  expect(await talk.sessions.restore('current', '1', {force: false})).toMatchObject({restored: [talk.at('a.txt')]});
  expect(existsSync(left)).toBe(false);
});
