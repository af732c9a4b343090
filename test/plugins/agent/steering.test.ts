import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ConversationEvent, Conversations, LineEnd} from '@gemini-kernel/plugin-agent/contract';
import type {SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {says} from '../../helpers/run-agent.js';
import {startConversation, type Conversation} from './conversation.js';

const more = ['secrets', 'shell', 'sessions'];

interface Steered extends Conversation {
  readonly conversations: Conversations;
  /** The id of the conversation that is steered. */
  readonly of: string;
  readonly seen: ConversationEvent[];
  prompt(text: string): Promise<LineEnd>;
  shell(text: string): Promise<LineEnd>;
  /** Resolves when an event of this kind has come. */
  comes(kind: ConversationEvent['kind']): Promise<void>;
}

async function steer(options: Parameters<typeof startConversation>[0]): Promise<Steered> {
  const talk = await startConversation({...options, live: false, more: [...more, ...(options.more ?? [])]});
  const conversations = await talk.kernel.service('conversations');
  const {id: of} = await conversations.open({interactive: true});
  const seen: ConversationEvent[] = [];
  const waiting: (() => void)[] = [];
  const follower = {
    signal: new AbortController().signal,
    onEvent(event: ConversationEvent) {
      seen.push(event);
      for (const wake of waiting.splice(0)) wake();
    },
  };
  void conversations.follow(of, follower);
  return {
    ...talk,
    conversations,
    of,
    seen,
    prompt: (text) => conversations.send(of, {kind: 'prompt', text}),
    shell: (text) => conversations.send(of, {kind: 'shell', text}),
    async comes(kind) {
      while (!seen.some((event) => event.kind === kind)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** What a request says of the conversation, without what the agent adds at the start. */
function textsOf(request: SeenRequest | undefined): readonly string[] {
  const pieces = request?.messages.flatMap((message) => message.pieces) ?? [];
  return pieces.flatMap((piece) =>
    piece.kind === 'text' && !piece.text.startsWith('<session_context>') ? [piece.text] : [],
  );
}

async function recordsOf({kernel}: Conversation): Promise<Readonly<Record<string, string>>> {
  const {temporary} = await (await kernel.service('project')).claim();
  const chats = join(temporary, 'chats');
  const names = (await readdir(chats)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(names.map((name) => readFile(join(chats, name), 'utf8')));
  return Object.fromEntries(
    texts.map((text) => [(JSON.parse(text.split('\n')[0] ?? '') as {sessionId: string}).sessionId, text]),
  );
}

describe('another session', () => {
  test('begins with nothing said, in a file of its own, with mode, model and directories as they were [steering.begin]', async () => {
    await using talk = await steer({
      script: [says('One.'), says('Two.')],
      files: {'../beside/b.txt': 'b'},
      settings: {model: {name: 'model-a'}},
    });
    const {conversations, of} = talk;
    await talk.prompt('first');
    const before = await conversations.state(of);
    await conversations.setMode(of, 'plan');
    await conversations.setModel(of, 'gemini-2.5-flash');
    await conversations.setThoughtLevel(of, 'low');
    await conversations.addDirectories(of, ['../beside']);
    const after = await conversations.begin(of);
    expect(after).toEqual({id: of, session: expect.not.stringMatching(before.session), mode: 'plan', queue: []});
    await talk.prompt('second');
    expect(
      talk.server.requests.map((request) => [request.model, request.config.thinkingBudget, textsOf(request)]),
    ).toEqual([
      ['model-a', undefined, ['first']],
      ['gemini-2.5-flash', 1024, ['second']],
    ]);
    const records = await recordsOf(talk);
    expect([records[before.session]?.includes('"second"'), records[after.session]?.includes('"first"')]).toEqual([
      false,
      false,
    ]);
    const roots = await (await (await conversations.session(of)).service('workspace')).roots();
    expect(roots.map(({source}) => source)).toEqual(['cwd', 'session']);
    expect(talk.seen.filter(({kind}) => kind === 'session')).toEqual([
      {kind: 'session', session: after.session, why: 'new', mode: 'plan'},
    ]);
  });

  test('is continued with what was said in it, in its file, and only once at a time [steering.resume]', async () => {
    await using talk = await steer({script: [says('One.'), says('Two.'), says('Three.')]});
    const {conversations, of} = talk;
    await talk.prompt('first');
    const first = await conversations.state(of);
    const second = await conversations.begin(of);
    await talk.prompt('second');
    expect((await conversations.resume(of, '1')).session).toBe(first.session);
    await talk.prompt('third');
    expect(textsOf(talk.server.requests.at(-1))).toEqual(['first', 'One.', 'third']);
    const records = await recordsOf(talk);
    expect([Object.keys(records).length, records[first.session]?.includes('Three.')]).toEqual([2, true]);
    await expect(conversations.resume(of, first.session)).rejects.toMatchObject({
      code: 'SESSION_IN_USE',
      message: `The session ${first.session} is already open in this program.`,
    });
    await expect(conversations.resume(of, '9')).rejects.toMatchObject({code: 'SESSION_UNKNOWN'});
    expect(await conversations.state(of)).toMatchObject({session: first.session});
    expect(await conversations.open({resume: second.session})).toMatchObject({session: second.session});
    expect(talk.kernel.warnings).toEqual([]);
  });

  test('stops the prompt that runs, and lines that wait are dealt with there [steering.begin]', async () => {
    await using talk = await steer({
      script: [{...says('Half. ', 'Rest.'), stall: {afterPieces: 1}}, says('Two.')],
    });
    const running = talk.prompt('first');
    await talk.comes('text');
    const waiting = talk.prompt('second');
    await talk.conversations.begin(talk.of);
    expect([await running, await waiting]).toMatchObject([{turn: {status: 'aborted'}}, {turn: {text: 'Two.'}}]);
    expect(textsOf(talk.server.requests.at(-1))).toEqual(['second']);
  });

  test('is begun by a command without waiting for that command [steering.begin]', async () => {
    await using talk = await steer({script: []});
    const {conversations, of} = talk;
    const {session} = await conversations.state(of);
    const begin = async (): Promise<void> => void (await conversations.begin(session));
    expect(await conversations.send(of, {kind: 'command', text: '/clear'}, begin)).toEqual({kind: 'command'});
    expect((await conversations.state(of)).session).not.toBe(session);
  });
});

test('lines wait in order, can be taken back, and what runs can be stopped [steering.queue]', async () => {
  await using talk = await steer({
    script: [{...says('Half. ', 'Rest.'), stall: {afterPieces: 1}}, says('Last.')],
  });
  const {conversations, of} = talk;
  const first = conversations.send(of, {id: '1', kind: 'prompt', text: 'first'});
  const others = ['2', '3'].map((id) => conversations.send(of, {id, kind: 'prompt', text: `prompt ${id}`}));
  await talk.comes('text');
  const line = {id: '2', kind: 'prompt', text: 'prompt 2'};
  expect(await conversations.state(of)).toMatchObject({
    line: {id: '1'},
    queue: [line, {id: '3', kind: 'prompt', text: 'prompt 3'}],
  });
  expect(await conversations.unqueue(of, '2')).toEqual([line]);
  expect(await conversations.stop(of)).toBe(true);
  expect(await Promise.all([first, ...others])).toMatchObject([
    {kind: 'prompt', turn: {status: 'aborted'}},
    {kind: 'withdrawn'},
    {kind: 'prompt', turn: {status: 'done', text: 'Last.'}},
  ]);
  expect(await conversations.stop(of)).toBe(false);
  expect(talk.seen.flatMap((event) => (event.kind === 'queue' ? [event.queue.map(({id}) => id)] : []))).toEqual([
    ['1', '2'],
    ['1', '2', '3'],
    ['2', '3'],
    ['3'],
    [],
  ]);
});

describe('a line of the shell', () => {
  test('runs without a question, and the model sees it with the next prompt [steering.shell]', async () => {
    await using talk = await steer({script: [says('I see.')]});
    const end = await talk.shell('echo heron > a.txt; cat a.txt');
    expect(end).toMatchObject({kind: 'shell', call: {status: 'done', display: 'heron'}});
    expect(await readFile(join(talk.kernel.project, 'a.txt'), 'utf8')).toBe('heron\n');
    await talk.prompt('what was that');
    const [ran = '', asked] = textsOf(talk.server.requests[0]);
    expect([ran.includes('```sh\necho heron > a.txt; cat a.txt\n```'), ran.includes('Output: heron'), asked]).toEqual([
      true,
      true,
      'what was that',
    ]);
    const [entry] = await talk.conversations.history(talk.of).then((all) => all.filter(({shown}) => shown));
    expect(entry).toMatchObject({origin: 'person', shown: '!echo heron > a.txt; cat a.txt'});
  });

  test('that a rule forbids does not run [steering.shell]', async () => {
    const rule =
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n';
    await using talk = await steer({script: [], homeFiles: {'.gemini/policies/own.toml': rule}});
    expect(await talk.shell('touch b.txt')).toMatchObject({call: {status: 'refused'}});
    expect(await readdir(talk.kernel.project)).not.toContain('b.txt');
  });

  test('can be stopped [steering.shell]', async () => {
    await using talk = await steer({script: []});
    const running = talk.shell('echo begun; sleep 60');
    await talk.comes('progress');
    await talk.conversations.stop(talk.of);
    expect(await running).toMatchObject({call: {status: 'aborted'}});
  });

  test('is taken back like a prompt, with what it changed [steering.shell]', async () => {
    await using talk = await steer({script: [], files: {'a.txt': 'old\n'}});
    const {conversations, of} = talk;
    await talk.shell('echo new > a.txt');
    const session = await conversations.session(of);
    const {text} = await (await session.service('sessions')).rewind('current', 'last', {what: 'both', force: false});
    expect([text, await readFile(join(talk.kernel.project, 'a.txt'), 'utf8')]).toEqual(['!echo new > a.txt', 'old\n']);
    expect(talk.seen.at(-1)).toEqual({kind: 'rewound', text});
  });
});

describe('the mode', () => {
  test('goes round default, auto_edit and plan, and policy judges by it [steering.mode]', async () => {
    await using talk = await steer({script: []});
    const {conversations, of} = talk;
    const modes = [];
    for (let count = 0; count < 4; count += 1) modes.push((await conversations.nextMode(of)).mode);
    expect(modes).toEqual(['auto_edit', 'plan', 'default', 'auto_edit']);
    await Promise.all([conversations.nextMode(of), conversations.nextMode(of), conversations.nextMode(of)]);
    expect((await conversations.state(of)).mode).toBe('auto_edit');
    const session = await conversations.session(of);
    const call = {tool: 'write_file', input: {file_path: 'a.txt', content: 'x'}};
    expect((await session.call(call)).status).toBe('done');
    await conversations.setMode(of, 'plan');
    expect((await session.call(call)).status).toBe('refused');
  });

  test('that is refused stays as it was, with the sentence of the error [steering.mode]', async () => {
    await using talk = await steer({script: [], settings: {security: {disableYoloMode: true}}});
    const {conversations, of} = talk;
    await expect(conversations.setMode(of, 'yolo')).rejects.toMatchObject({code: 'YOLO_DISABLED'});
    await expect(conversations.setMode(of, 'swift')).rejects.toMatchObject({code: 'MODE_UNKNOWN'});
    expect([(await conversations.state(of)).mode, talk.seen]).toEqual(['default', []]);
  });
});

test('every front end hears the same, as JSON, until the conversation closes [steering.follow]', async () => {
  await using talk = await steer({script: [says('Hello.')]});
  const {conversations, of} = talk;
  const other: ConversationEvent[] = [];
  const following = conversations.follow(of, {
    signal: new AbortController().signal,
    onEvent: (event) => void other.push(event),
  });
  await talk.prompt('hi');
  expect(other).toEqual(talk.seen);
  expect(JSON.parse(JSON.stringify(other))).toEqual(other);
  expect(other.map(({kind}) => kind)).toEqual(expect.arrayContaining(['line', 'model', 'text', 'message', 'ended']));
  await conversations.close(of);
  await following;
  expect(await conversations.find(of)).toBeUndefined();
  await expect(conversations.state(of)).rejects.toMatchObject({
    code: 'CONVERSATION_UNKNOWN',
    hint: 'Open one first.',
  });
});

test('a front end that leaves hears no more, and the conversation stays [steering.follow]', async () => {
  await using talk = await steer({script: []});
  const left = new AbortController();
  const following = talk.conversations.follow(talk.of, {signal: left.signal, onEvent: () => expect(true).toBe(false)});
  left.abort(new Error('It left.'));
  await expect(following).rejects.toThrow('It left.');
  expect((await talk.conversations.setMode(talk.of, 'plan')).mode).toBe('plan');
});
