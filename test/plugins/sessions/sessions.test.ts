import {readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {Sessions} from '@gemini-kernel/plugin-sessions/contract';
import {answered, converse, fill, said, turn} from './conversation.js';
import {sinceThen, toMarkdown} from '#plugins/sessions/dist/session-texts.js';

const chatsOf = ({home}: TestKernel): string => join(home, '.gemini/tmp/project/chats');
const sessionsOf = ({kernel}: TestKernel): Promise<Sessions> => kernel.open().service('sessions');

interface Written {
  readonly id: string;
  readonly start: string;
  readonly lines?: readonly object[];
  readonly kind?: string;
}

const line = (type: string, text: string): object => ({
  id: text,
  timestamp: '2026-01-01T00:00:00.000Z',
  type,
  content: [{text}],
});
const sessionText = ({id, start, kind = 'main', lines = [line('user', `Hi from ${id}`)]}: Written): string =>
  [{sessionId: id, projectHash: 'p', startTime: start, lastUpdated: start, kind}, ...lines]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
const name = (id: string): string => `session-2026-01-01T00-00-${id}.jsonl`;

async function withFiles(files: Readonly<Record<string, string>>): Promise<TestKernel> {
  const talk = await converse();
  await (await talk.service('project')).claim();
  await fill(chatsOf(talk), files);
  return talk;
}

describe('the list', () => {
  test('is in the order of the starts, leaves out what no one would continue, and names what cannot be read', async () => {
    const day = (n: number): string => `2026-01-0${n}T00:00:00.000Z`;
    await using talk = await withFiles({
      [name('late')]: sessionText({id: 'late', start: day(3)}),
      [name('early')]: sessionText({
        id: 'early',
        start: day(1),
        lines: [line('user', '/help'), line('user', '<session_context>x'), line('user', '  The\n first  thing ')],
      }),
      [name('sum')]: sessionText({
        id: 'sum',
        start: day(2),
        lines: [line('user', 'Long talk'), {$set: {summary: 'A summary', lastUpdated: day(5)}}],
      }),
      [name('empty')]: sessionText({id: 'empty', start: day(1), lines: [line('user', '/quit')]}),
      [name('sub')]: sessionText({id: 'sub', start: day(1), kind: 'subagent'}),
      [name('twin1')]: sessionText({id: 'twin', start: day(4)}),
      [name('twin2')]: sessionText({
        id: 'twin',
        start: day(4),
        lines: [line('user', 'Newer'), {$set: {lastUpdated: day(6)}}],
      }),
      [name('broken')]: '{"sess',
      'notes.txt': 'x',
    });
    const {sessions, broken} = await (await sessionsOf(talk)).list();
    expect(sessions).toEqual([
      {
        id: 'early',
        number: 1,
        title: 'The first thing',
        started: day(1),
        updated: day(1),
        file: join(chatsOf(talk), name('early')),
        isCurrent: false,
      },
      {
        id: 'sum',
        number: 2,
        title: 'A summary',
        started: day(2),
        updated: day(5),
        file: join(chatsOf(talk), name('sum')),
        isCurrent: false,
      },
      {
        id: 'late',
        number: 3,
        title: 'Hi from late',
        started: day(3),
        updated: day(3),
        file: join(chatsOf(talk), name('late')),
        isCurrent: false,
      },
      {
        id: 'twin',
        number: 4,
        title: 'Newer',
        started: day(4),
        updated: day(6),
        file: join(chatsOf(talk), name('twin2')),
        isCurrent: false,
      },
    ]);
    expect(broken).toEqual([{file: join(chatsOf(talk), name('broken')), reason: 'it does not start like a session'}]);
  });

  test('finds what was said first behind a context of any size', async () => {
    const context = line('user', `<session_context>${'x'.repeat(300_000)}`);
    await using talk = await withFiles({
      [name('deep')]: sessionText({
        id: 'deep',
        start: '2026-01-01T00:00:00.000Z',
        lines: [{$set: {messages: [context]}}, line('user', 'Here'), line('gemini', 'y'.repeat(900_000))],
      }),
    });
    expect((await (await sessionsOf(talk)).list()).sessions).toMatchObject([
      {title: 'Here', updated: '2026-01-01T00:00:00.000Z'},
    ]);
  });

  test.each([
    ['latest', 'b'],
    ['1', 'a'],
    ['b', 'b'],
    [' 2 ', 'b'],
  ])('%j is a name', async (given, id) => {
    await using talk = await withFiles({
      [name('a')]: sessionText({id: 'a', start: '2026-01-01T00:00:00.000Z'}),
      [name('b')]: sessionText({id: 'b', start: '2026-01-02T00:00:00.000Z'}),
    });
    expect((await (await sessionsOf(talk)).find(given)).id).toBe(id);
  });

  test.each(['3', '0', '-1', '1.0', 'ab', ''])('%j is no name', async (given) => {
    await using talk = await withFiles({[name('a')]: sessionText({id: 'a', start: '2026-01-01T00:00:00.000Z'})});
    await expect((await sessionsOf(talk)).find(given)).rejects.toMatchObject({code: 'SESSION_UNKNOWN'});
  });

  test.each([
    [30_000, 'Just now'],
    [60_000, '1 minute ago'],
    [7_200_000, '2 hours ago'],
    [90_000_000, '1 day ago'],
  ])('%d ms is %s', (ms, text) => {
    expect(sinceThen('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:00:00.000Z') + ms)).toBe(text);
  });
});

describe('deleting', () => {
  test('takes the session with all that is its own, and nothing else', async () => {
    await using talk = await withFiles({
      [name('aaaaaaaa')]: sessionText({id: 'aaaaaaaa-1', start: '2026-01-01T00:00:00.000Z'}),
      [name('aaaaaaaa').replace('00-00', '00-01')]: sessionText({id: 'aaaaaaaa-2', start: '2026-01-02T00:00:00.000Z'}),
      'aaaaaaaa-1/sub.jsonl': 'x',
      '../tool-outputs/session-aaaaaaaa-1/x.txt': 'x',
      '../logs/session-aaaaaaaa-1.jsonl': 'x',
      '../aaaaaaaa-1/checkpoints/log.jsonl': 'x',
      '../aaaaaaaa-2/plans/x.md': 'x',
    });
    expect((await (await sessionsOf(talk)).delete('1')).id).toBe('aaaaaaaa-1');
    expect([(await readdir(chatsOf(talk))).sort(), (await readdir(join(chatsOf(talk), '..'))).sort()]).toEqual([
      [name('aaaaaaaa').replace('00-00', '00-01')],
      ['.project_root', 'aaaaaaaa-2', 'chats', 'logs', 'tool-outputs'],
    ]);
  });

  test.each(['..', 'chats', '../../..', 'Logs'])(
    'a session that calls itself %s takes nothing of others with it',
    async (id) => {
      await using talk = await withFiles({
        [name('evil')]: sessionText({id, start: '2026-01-01T00:00:00.000Z'}),
        '../logs/x': 'x',
        'keep.txt': 'x',
      });
      await (await sessionsOf(talk)).delete('latest');
      expect([await readdir(chatsOf(talk)), await readdir(join(chatsOf(talk), '../logs'))]).toEqual([
        ['keep.txt'],
        ['x'],
      ]);
    },
  );

  test('the one that is being recorded is not deleted', async () => {
    await using talk = await converse();
    await turn(talk, 'one');
    await expect((await sessionsOf(talk)).delete('latest')).rejects.toMatchObject({code: 'SESSION_IN_USE'});
    expect((await (await talk.service('sessions')).list()).sessions).toMatchObject([{isCurrent: true}]);
  });
});

test('search finds what was said, with the line, and not what tools gave', async () => {
  await using talk = await withFiles({
    [name('a')]: sessionText({
      id: 'a',
      start: '2026-01-01T00:00:00.000Z',
      lines: [line('user', 'First\nWhat is a RATE limit?'), line('gemini', 'A rate limit is')],
    }),
    [name('b')]: sessionText({
      id: 'b',
      start: '2026-01-02T00:00:00.000Z',
      lines: [
        line('user', 'x'),
        {...line('user', 'r'), content: [{functionResponse: {id: 'c', name: 'x', response: {output: 'rate limit'}}}]},
      ],
    }),
  });
  expect(
    (await (await sessionsOf(talk)).search('rate limit')).map(({session, role, line: found}) => [
      session.id,
      role,
      found,
    ]),
  ).toEqual([
    ['a', 'user', 'What is a RATE limit?'],
    ['a', 'model', 'A rate limit is'],
  ]);
});

test('Markdown has what was said, the calls with what came of them, and fences that hold', () => {
  const call = {
    id: 'c',
    name: 'read_file',
    input: {path: 'a'},
    status: 'done' as const,
    output: [{text: '```js\nx\n```'}],
    ms: 1,
    time: '',
  };
  const model = {
    ...answered('m', 'Look:'),
    calls: [call],
    message: {
      role: 'model' as const,
      pieces: [
        {kind: 'text' as const, text: 'Look:'},
        {kind: 'call' as const, id: 'c', name: 'read_file', input: {path: 'a'}},
      ],
    },
  };
  const tools = {...said('r', ''), origin: 'tools' as const};
  expect(toMarkdown([{...said('q', 'long'), shown: 'Read @a'}, model, tools])).toBe(
    '## USER 🧑‍💻\n\nRead @a\n\n## MODEL ✨\n\nLook:\n\n**read_file** (done)\n\n```json\n{\n  "path": ' +
      '"a"\n}\n```\n\n````\n```js\nx\n```\n````\n',
  );
});

describe('a conversation is kept under a name', () => {
  test('and becomes a session of its own again', async () => {
    await using talk = await converse();
    await turn(talk, 'one');
    const own = await talk.service('sessions');
    const {file} = await own.saveTag('current', 'before / after', {force: false});
    expect(file).toBe(join(talk.home, '.gemini/tmp/project/checkpoint-before%20%2F%20after.json'));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      history: [
        {role: 'user', parts: [{text: 'Say one'}]},
        {role: 'model', parts: [{text: 'Said one'}]},
      ],
    });
    await expect(own.saveTag('current', 'before / after', {force: false})).rejects.toMatchObject({code: 'TAG_TAKEN'});
    await own.saveTag('current', 'before / after', {force: true});
    expect((await own.tags()).map(({tag}) => tag)).toEqual(['before / after']);
    await talk.live.close();
    const later = await sessionsOf(talk);
    const {id} = await later.resumeTag('before / after');
    await using again = await converse({earlier: talk, flags: {'session.resume': id}});
    expect((await again.agent.load())?.entries.map(({message}) => message.pieces)).toEqual([
      [{kind: 'text', text: 'Say one'}],
      [{kind: 'text', text: 'Said one'}],
    ]);
    await later.deleteTag('before / after');
    expect(await later.tags()).toEqual([]);
  });

  test('and one that is not there is named', async () => {
    await using talk = await converse();
    const own = await talk.service('sessions');
    await expect(own.resumeTag('nothing')).rejects.toMatchObject({code: 'TAG_UNKNOWN'});
    await expect(own.deleteTag('nothing')).rejects.toMatchObject({code: 'TAG_UNKNOWN'});
  });
});

test.each([
  ['rewind', 'SESSION_PROMPT_UNKNOWN', (own: Sessions) => own.rewind('current', '5', {what: 'both', force: false})],
  ['restore', 'CHECKPOINT_UNKNOWN', (own: Sessions) => own.restore('current', 'x', {force: false})],
])('%s to what is not there is refused with %s', async (_, code, act) => {
  await using talk = await converse();
  await turn(talk, 'one');
  await expect(act(await talk.service('sessions'))).rejects.toMatchObject({code});
});

test('a session file that was damaged from its start on is broken, and said so', async () => {
  await using talk = await converse();
  await turn(talk, 'one');
  await talk.live.close();
  const [session] = (await (await sessionsOf(talk)).list()).sessions;
  const own = await sessionsOf(talk);
  await writeFile(session?.file ?? '', 'x');
  await expect(own.open('1')).rejects.toMatchObject({code: 'SESSION_UNKNOWN'});
  expect((await own.list()).broken).toMatchObject([{file: session?.file}]);
});

test('a session that cannot be read any more is named with its reason', async () => {
  const {readConversation} = await import('#plugins/sessions/dist/session-store.js');
  await using talk = await withFiles({'x.jsonl': 'x'});
  await expect(readConversation(join(chatsOf(talk), 'gone.jsonl'))).rejects.toMatchObject({
    code: 'SESSION_BROKEN',
    message: `Cannot read the session ${join(chatsOf(talk), 'gone.jsonl')}: it does not exist.`,
  });
  await expect(readConversation(join(chatsOf(talk), 'x.jsonl'))).rejects.toMatchObject({code: 'SESSION_BROKEN'});
});

test('a session that cannot be written is named with its reason', async () => {
  await using talk = await withFiles({
    '../checkpoint-x.json': JSON.stringify({history: [{role: 'user', parts: [{text: 'Hi'}]}]}),
  });
  await rm(chatsOf(talk), {recursive: true, force: true});
  await writeFile(chatsOf(talk), 'a file in the place of the folder');
  await expect((await sessionsOf(talk)).resumeTag('x')).rejects.toMatchObject({
    code: 'SESSION_UNWRITABLE',
    hint: expect.stringContaining('no longer being recorded'),
  });
});
