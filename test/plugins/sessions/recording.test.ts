import {createHash} from 'node:crypto';
import {appendFile, mkdir, readdir, readFile, rm, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {answered, converse, fill, said, turn, type Conversation} from './conversation.js';

const chatsOf = ({home}: TestKernel): string => join(home, '.gemini/tmp/project/chats');

async function fileOf(kernel: TestKernel): Promise<string> {
  const names = (await readdir(chatsOf(kernel))).filter((name) => /\.jsonl?$/.test(name));
  expect(names).toHaveLength(1);
  return join(chatsOf(kernel), names[0] ?? '');
}

const linesOf = async (file: string): Promise<readonly Record<string, unknown>[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Ends a conversation and leaves its home. */
async function leave({live}: Conversation): Promise<void> {
  await live.close();
}

test('a conversation is one file: the first line, a line for each entry, and a mark when the prompt is dealt with', async () => {
  await using talk = await converse();
  await turn(talk, 'one');
  const file = await fileOf(talk);
  expect(file).toMatch(
    new RegExp(`session-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-${talk.live.info.id.slice(0, 8)}\\.jsonl$`),
  );
  const [first, question, answer, mark, ...rest] = await linesOf(file);
  expect(first).toEqual({
    sessionId: talk.live.info.id,
    projectHash: createHash('sha256').update(talk.project).digest('hex'),
    kind: 'main',
    kernel: {settled: false},
    startTime: expect.any(String),
    lastUpdated: expect.any(String),
  });
  expect([question, answer]).toMatchObject([
    {id: 'one-q', type: 'user', content: [{text: 'Say one'}]},
    {id: 'one-a', type: 'gemini', content: [{text: 'Said one'}]},
  ]);
  expect(mark).toEqual({$set: {lastUpdated: expect.any(String), kernel: {settled: true}}});
  expect(rest).toEqual([]);
});

test('a session in which nothing is said leaves nothing', async () => {
  await using talk = await converse();
  await talk.agent.change({kind: 'replace', why: 'start', entries: []});
  await talk.agent.change({kind: 'settled'});
  expect(await readdir(talk.home)).toEqual([]);
});

test('what is set before something is said is kept with it, in order', async () => {
  await using talk = await converse();
  const context = {...said('c', '<session_context>x</session_context>'), origin: 'agent' as const};
  await talk.agent.change({kind: 'replace', why: 'start', entries: [context]});
  await turn(talk, 'one');
  const [, start, question] = await linesOf(await fileOf(talk));
  expect(start).toMatchObject({$set: {messages: [{id: 'c'}]}});
  expect(question).toMatchObject({id: 'one-q'});
});

describe('a session continues', () => {
  test('with its history, its id and its file', async () => {
    await using talk = await converse();
    const entries = await turn(talk, 'one');
    await leave(talk);
    await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    expect(again.live.info.id).toBe(talk.live.info.id);
    expect(await again.agent.load()).toEqual({entries});
    const more = await turn(again, 'two');
    await leave(again);
    expect(await (await talk.kernel.open().service('sessions')).open('latest')).toMatchObject({
      id: talk.live.info.id,
      entries: [...entries, ...more],
    });
    expect(await linesOf(await fileOf(talk))).toHaveLength(7);
  });

  test('after a rewind and a compression as they left it', async () => {
    await using talk = await converse();
    const [first] = await turn(talk, 'one');
    await turn(talk, 'two');
    await talk.agent.rewind('two-q');
    const kept = [said('s', 'A summary'), answered('t', 'Good')];
    await talk.agent.change({kind: 'replace', why: 'compressed', entries: kept});
    const three = await turn(talk, 'three');
    await talk.agent.change({kind: 'settled'});
    await leave(talk);
    expect(first).toBeDefined();
    await using again = await converse({earlier: talk, flags: {'session.resume': talk.live.info.id}});
    expect(await again.agent.load()).toEqual({entries: [...kept, ...three]});
  });

  test('only to be rewound, and that is kept', async () => {
    await using talk = await converse();
    const entries = await turn(talk, 'one');
    await turn(talk, 'two');
    await leave(talk);
    await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    await again.agent.load();
    expect(
      await (await again.service('sessions')).rewind('current', 'last', {what: 'both', force: false}),
    ).toMatchObject({text: 'Say two'});
    await leave(again);
    await using last = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    expect((await last.agent.load())?.entries).toEqual(entries);
  });

  test(
    'with the directories that were added to it where they lie in a trusted folder, and a word about the others ' +
      '[authority.directories]',
    async () => {
      const trust = {plugins: ['trust'], variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}};
      await using talk = await converse({files: {'x': ''}, ...trust});
      await turn(talk, 'one');
      const [kept, gone, other] = [
        join(dirname(talk.project), 'kept'),
        join(dirname(talk.project), 'gone'),
        join(dirname(talk.project), 'other'),
      ];
      const secret = join(talk.home, '.ssh');
      await Promise.all(
        [kept, gone, other, secret, join(talk.home, '.gemini')].map((path) => mkdir(path, {recursive: true})),
      );
      await writeFile(
        join(talk.home, '.gemini', 'trustedFolders.json'),
        JSON.stringify({[kept]: 'TRUST_FOLDER', [talk.home]: 'TRUST_FOLDER', '/etc': 'TRUST_FOLDER'}),
      );
      await (await talk.service('workspace')).add([kept, gone, other, secret, '/etc'], {scope: 'session'});
      await leave(talk);
      await rm(gone, {recursive: true});
      await using again = await converse({earlier: talk, ...trust, flags: {'session.resume': 'latest'}});
      expect((await (await again.service('workspace')).roots()).map(({path}) => path)).toEqual([talk.project, kept]);
      expect(again.warnings).toEqual([
        `Directories of this session no longer exist: ${gone}.`,
        ...[other, secret, '/etc'].map(
          (path) =>
            `This session had ${path}, outside the project: left out. To add it, run: gemini directory add "${path}"`,
        ),
      ]);
      expect((await (await again.service('workspace')).pending()).map(({path, isClosed}) => [path, isClosed])).toEqual([
        [other, false],
        [secret, true],
        ['/etc', true],
      ]);
    },
  );

  test.each([
    [
      'a question without an answer',
      false,
      async (talk: Conversation) => talk.agent.change({kind: 'put', entry: said('two-q', 'Say two')}),
      ['one-q', 'one-a', 'two-q'],
    ],
    [
      'half a line',
      true,
      async (talk: Conversation) => appendFile(await fileOf(talk), '{"id":"half'),
      ['one-q', 'one-a'],
    ],
    ['zeros', true, async (talk: Conversation) => appendFile(await fileOf(talk), '\0'.repeat(100)), ['one-q', 'one-a']],
  ])('after a crash that left %s, with a word about it, and the next line is whole', async (_, isTorn, crash, ids) => {
    await using talk = await converse();
    await turn(talk, 'one');
    await crash(talk);
    await leave(talk);
    await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    const loaded = await again.agent.load();
    expect(loaded?.entries.map(({id}) => id)).toEqual(ids);
    expect(loaded?.notice).toBe('The program ended during the last turn; the rest of that turn is missing.');
    await turn(again, 'three');
    await leave(again);
    await using last = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    const after = await last.agent.load();
    expect(after?.entries.map(({id}) => id)).toEqual([...ids, 'three-q', 'three-a']);
    expect(after?.notice).toBe(isTorn ? 'One line of the session file cannot be read.' : undefined);
  });

  test('after a crash within a tool call, with the call answered by what is known', async () => {
    await using talk = await converse();
    await talk.agent.change({kind: 'put', entry: said('q', 'Go')});
    await talk.agent.change({
      kind: 'put',
      entry: {
        ...answered('a', ''),
        message: {role: 'model', pieces: [{kind: 'call', id: 'c', name: 'hand_shell', input: {}}]},
      },
    });
    await leave(talk);
    await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    const loaded = await again.agent.load();
    expect(loaded?.entries.at(-1)?.message).toEqual({
      role: 'user',
      pieces: [
        {
          kind: 'result',
          id: 'c',
          name: 'hand_shell',
          failed: true,
          output: [{text: 'The program ended before this call finished. Its changes are unknown.'}],
        },
      ],
    });
    expect(loaded?.notice).toBe(
      'The program ended during the last turn; the rest of that turn is missing. The result of one call ' +
        'is unknown.',
    );
  });
});

describe('flags choose the session', () => {
  const refusal = async (flags: Record<string, string>, earlier?: TestKernel): Promise<unknown> =>
    converse({flags, ...(earlier ? {earlier} : {})}).then(
      () => 'began',
      ({code, message}: {code: string; message: string}) => [code, message],
    );

  test('--resume latest without any session starts a new one and says so', async () => {
    await using talk = await converse({flags: {'session.resume': 'latest'}});
    expect(talk.warnings).toEqual(['This project has no session to continue, so this is a new one.']);
    expect(await talk.agent.load()).toBeUndefined();
  });

  test.each([
    [
      'two of them',
      {'session.resume': 'latest', 'session.id': 'x'},
      ['SESSION_FLAGS_CONFLICT', '--resume and --session-id cannot be used together.'],
    ],
    [
      'a session that is not there',
      {'session.resume': '7'},
      ['SESSION_UNKNOWN', 'No previous sessions found for this project.'],
    ],
    [
      'an id that would leave the folder',
      {'session.id': '../x'},
      ['SESSION_ID_INVALID', '"../x" is not a valid session id.'],
    ],
    [
      'an id that names a folder of all',
      {'session.id': 'Chats'},
      ['SESSION_ID_INVALID', '"Chats" is not a valid session id.'],
    ],
    [
      'a file that is not there',
      {'session.file': '/nowhere/x.json'},
      ['SESSION_FILE_UNREADABLE', 'Cannot start from /nowhere/x.json: it does not exist.'],
    ],
  ])('%s is refused', async (_, flags, expected) => {
    expect(await refusal(flags)).toEqual(expected);
  });

  test('--session-id names a new session, once; two ids that begin alike have a file each', async () => {
    await using talk = await converse({flags: {'session.id': 'my-session-1'}});
    await turn(talk, 'one');
    await leave(talk);
    expect(await refusal({'session.id': 'my-session-1'}, talk)).toEqual([
      'SESSION_EXISTS',
      'A session with the id my-session-1 already exists.',
    ]);
    await using other = await converse({earlier: talk, flags: {'session.id': 'my-session-2'}});
    await turn(other, 'two');
    await leave(other);
    const {sessions} = await (await talk.kernel.open().service('sessions')).list();
    expect(sessions.map(({id, title}) => [id, title])).toEqual([
      ['my-session-1', 'Say one'],
      ['my-session-2', 'Say two'],
    ]);
  });

  test('--session-file starts a new session with what was exported, and keeps it', async () => {
    await using talk = await converse();
    const entries = await turn(talk, 'one');
    const exported = join(talk.project, 'talk.json');
    await writeFile(exported, await (await talk.service('sessions')).export('current', 'json'));
    await leave(talk);
    await using copy = await converse({earlier: talk, flags: {'session.file': 'talk.json'}});
    expect(copy.live.info.id).not.toBe(talk.live.info.id);
    const note = {
      kind: 'note',
      severity: 'info',
      message: {role: 'user', pieces: [{kind: 'text', text: `This conversation was imported from ${exported}.`}]},
    };
    const loaded = await copy.agent.load();
    expect(loaded?.entries).toEqual([{...note, id: expect.any(String), time: expect.any(String)}, ...entries]);
    await turn(copy, 'two');
    await leave(copy);
    expect((await (await talk.kernel.open().service('sessions')).open(copy.live.info.id)).entries).toHaveLength(5);
  });

  test('messages of the API are a conversation to start from', async () => {
    const history = [
      {role: 'user', parts: [{text: 'Hi'}]},
      {role: 'model', parts: [{text: 'Hello'}]},
    ];
    await using talk = await converse({
      files: {'h.json': JSON.stringify(history), 'k.json': JSON.stringify({history})},
      flags: {'session.file': 'k.json'},
    });
    const loaded = await talk.agent.load();
    expect(loaded?.entries.slice(1).map(({kind, message}) => [kind, message.pieces[0]])).toEqual([
      ['user', {kind: 'text', text: 'Hi'}],
      ['model', {kind: 'text', text: 'Hello'}],
    ]);
  });
});

describe('one process at a time records a session', () => {
  const lock = (owner: object): string =>
    JSON.stringify({pid: process.ppid, host: hostname(), since: new Date().toISOString(), ...owner});
  async function locked(text: string): Promise<unknown> {
    await using talk = await converse();
    await turn(talk, 'one');
    await leave(talk);
    await writeFile(`${await fileOf(talk)}.lock`, text);
    try {
      await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
      return again.live.info.id === talk.live.info.id;
    } catch (error) {
      return (error as {code?: string}).code;
    }
  }

  test.each([
    ['a process that runs', lock({}), 'SESSION_IN_USE'],
    ['a process of another machine', lock({host: 'elsewhere', pid: 1}), 'SESSION_IN_USE'],
    ['a process that is gone', lock({pid: 2 ** 22 + 12345}), true],
    [
      'a process from before the machine started, even if another has its number now',
      lock({boot: 'another', began: '1'}),
      true,
    ],
    [
      'a process that runs, though the clock was wrong when it began',
      lock({since: '2001-01-01T00:00:00.000Z'}),
      'SESSION_IN_USE',
    ],
    ['no one, on a full disk', '', true],
  ])('the lock of %s', async (_, text, expected) => {
    expect(await locked(text)).toBe(expected);
  });

  test('the lock is gone with the session', async () => {
    await using talk = await converse();
    await turn(talk, 'one');
    expect((await readdir(chatsOf(talk))).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
    await leave(talk);
    expect((await readdir(chatsOf(talk))).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});

test('a home that cannot be written is no reason not to converse, and is said once', async () => {
  await using talk = await converse({homeFiles: {'.gemini/tmp': 'a file in the place of the folder'}});
  await turn(talk, 'one');
  await turn(talk, 'two');
  expect(talk.warnings).toHaveLength(1);
  expect(talk.warnings[0]).toMatch(/^This conversation is not recorded: Cannot create a folder for this project/);
  expect(await talk.agent.history()).toHaveLength(4);
});

test('an older form is converted to lines beside it, and continues there', async () => {
  const name = 'session-2025-01-02T03-04-abcdefab.json';
  const older = JSON.stringify(
    {
      sessionId: 'abcdefab-old',
      projectHash: 'p',
      startTime: '2025-01-02T03:04:05.000Z',
      lastUpdated: '2025-01-02T03:04:06.000Z',
      summary: 'Old talk',
      messages: [{id: 'q', timestamp: '2025-01-02T03:04:05.000Z', type: 'user', content: 'Hi'}],
    },
    null,
    2,
  );
  await using talk = await converse({homeFiles: {'.gemini/tmp/project/.project_root': ''}});
  await rm(join(talk.home, '.gemini'), {recursive: true});
  const hash = createHash('sha256').update(talk.project).digest('hex');
  await fill(join(talk.home, '.gemini/tmp', hash, 'chats'), {[name]: older});
  expect((await (await talk.service('sessions')).list()).sessions).toMatchObject([
    {id: 'abcdefab-old', title: 'Old talk'},
  ]);
  await leave(talk);
  await (await talk.kernel.open().service('project')).claim();
  await using again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
  expect((await again.agent.load())?.entries.map(({id}) => id)).toEqual(['q']);
  await turn(again, 'one');
  await leave(again);
  expect(await readFile(join(chatsOf(talk), name), 'utf8')).toBe(older);
  const {sessions} = await (await talk.kernel.open().service('sessions')).list();
  expect(sessions).toMatchObject([{id: 'abcdefab-old', title: 'Old talk', file: join(chatsOf(talk), `${name}l`)}]);
  expect((await (await talk.kernel.open().service('sessions')).open('1')).entries).toHaveLength(3);
});

describe('sessions that are too old go, and nothing else does', () => {
  const old = new Date('2020-01-01T00:00:00.000Z');
  const session = (id: string): string =>
    `{"sessionId":"${id}","projectHash":"p","kind":"main"}\n{"id":"q","timestamp":"t","type":"user","content":"Hi ` +
    `${id}"}\n`;
  const files = {
    'session-2020-01-01T00-00-aaaaaaaa.jsonl': session('aaaaaaaa-1'),
    'session-2020-01-02T00-00-bbbbbbbb.jsonl': 'broken',
    'session-2020-01-03T00-00-cccccccc.jsonl': session('cccccccc-1'),
    'session-notes.jsonl': session('notes'),
    'other.jsonl': session('other'),
  };

  async function tidy(
    settings: object,
    fresh: readonly string[] = [],
  ): Promise<{left: readonly string[]; warnings: readonly string[]}> {
    await using talk = await converse();
    await turn(talk, 'now');
    await leave(talk);
    const [own = ''] = await readdir(chatsOf(talk));
    await rm(join(chatsOf(talk), '../sessions-tidied'));
    await fill(chatsOf(talk), {...files, 'aaaaaaaa-1/sub.jsonl': 'x'});
    await fill(talk.home, {'.gemini/settings.json': JSON.stringify({general: {sessionRetention: settings}})});
    for (const name of Object.keys(files)) if (!fresh.includes(name)) await utimes(join(chatsOf(talk), name), old, old);
    const again = await converse({earlier: talk, flags: {'session.resume': 'latest'}});
    await turn(again, 'later');
    await again.close();
    const left = (await readdir(chatsOf(talk))).filter((name) => name !== own).sort();
    return {left, warnings: again.warnings};
  }

  test('only files with the name and the first line of a session, by their last change', async () => {
    expect(await tidy({}, ['session-2020-01-03T00-00-cccccccc.jsonl'])).toEqual({
      left: [
        'other.jsonl',
        'session-2020-01-02T00-00-bbbbbbbb.jsonl',
        'session-2020-01-03T00-00-cccccccc.jsonl',
        'session-notes.jsonl',
      ],
      warnings: [],
    });
  });

  test('the newest stay when there may be only so many', async () => {
    expect((await tidy({maxAge: '5000d', maxCount: 2}, ['session-2020-01-03T00-00-cccccccc.jsonl'])).left).toEqual([
      'other.jsonl',
      'session-2020-01-02T00-00-bbbbbbbb.jsonl',
      'session-2020-01-03T00-00-cccccccc.jsonl',
      'session-notes.jsonl',
    ]);
  });

  test('an older form of a session that was continued stays with it', async () => {
    await using talk = await converse();
    await turn(talk, 'now');
    await leave(talk);
    const [own = ''] = await readdir(chatsOf(talk));
    const older = `session-2020-01-01T00-00-${talk.live.info.id.slice(0, 8)}.json`;
    await fill(chatsOf(talk), {
      [older]: JSON.stringify({sessionId: talk.live.info.id, projectHash: 'p', messages: []}),
    });
    await utimes(join(chatsOf(talk), older), old, old);
    await rm(join(chatsOf(talk), '../sessions-tidied'));
    await using again = await converse({earlier: talk});
    await turn(again, 'later');
    await leave(again);
    expect((await readdir(chatsOf(talk))).sort()).toEqual(expect.arrayContaining([older, own]));
  });

  test.each([
    ['when that is turned off', {enabled: false}, []],
    [
      'when the age is no age',
      {maxAge: 'soon'},
      [
        'Old sessions are not deleted: general.sessionRetention.maxAge must be a duration such as 30d or ' +
          '12h, not "soon".',
      ],
    ],
    [
      'when the age is less than the least',
      {maxAge: '2h'},
      ['Old sessions are not deleted: general.sessionRetention.maxAge (2h) is less than minRetention (1d).'],
    ],
  ])('none goes %s', async (_, settings, warnings) => {
    expect(await tidy(settings)).toEqual({left: ['aaaaaaaa-1', ...Object.keys(files)].sort(), warnings});
  });
});
