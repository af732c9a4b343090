import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, says} from '../../helpers/run-agent.js';
import {openA2aPlace, type A2aPlace} from './a2a-place.js';

/**
 * The requirements that the official kit of the protocol lists (a2aproject/a2a-tck), by their names. The kit itself
 * needs Python packages and an agent that is scripted by message ids.
 */

type Json = Readonly<Record<string, unknown>>;
interface Envelope {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: Json;
  readonly error?: {readonly code: number; readonly message: string; readonly data?: unknown};
}
interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: {readonly state: string; readonly timestamp: string};
  readonly history?: readonly {readonly messageId: string; readonly parts: readonly Json[]}[];
  readonly artifacts?: readonly Json[];
}

const script: Script = ({messages}) => {
  const last = JSON.stringify(messages.at(-1)?.pieces);
  if (last.includes('write')) return callsTools(['write_file', {file_path: 'b.txt', content: 'x'}]);
  if (last.includes('wait')) return {...says('Begun, ', 'never done.'), stall: {afterPieces: 1}};
  return says('Hello ', 'there.');
};

let place: A2aPlace;
let token: string;
let other: string;
beforeAll(async () => {
  place = await openA2aPlace(script);
  token = await place.token();
  other = await place.token();
  await place.start();
});
afterAll(async () => place[Symbol.asyncDispose]());

let count = 0;
const message = (text: string, more: Json = {}): Json => ({
  ...{messageId: `kit-${(count += 1)}`, role: 'ROLE_USER', parts: [{text}]},
  ...more,
});

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  place.post(body, {authorization: `Bearer ${token}`, ...headers});

async function call(method: string, params: unknown, headers?: Readonly<Record<string, string>>): Promise<Envelope> {
  return (await post({jsonrpc: '2.0', id: 'kit', method, params}, headers)).json() as Promise<Envelope>;
}

async function send(text: string, more: Json = {}, configuration: Json = {}): Promise<TaskJson> {
  const {result, error} = await call('SendMessage', {message: message(text, more), configuration});
  if (!result) throw new Error(error?.message);
  return result['task'] as TaskJson;
}

async function stream(method: string, params: unknown): Promise<readonly Json[]> {
  return eventsOf(await post({jsonrpc: '2.0', id: 1, method, params}));
}

async function eventsOf(response: Response): Promise<readonly Json[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => (JSON.parse(line.slice(6)) as {result: Json}).result);
}

const rest = (verb: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${place.url}${path}`, {
    method: verb,
    headers: {
      ...{authorization: `Bearer ${token}`, 'a2a-version': '1.0', 'content-type': 'application/a2a+json'},
      ...headers,
    },
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });

const codeOf = async (method: string, params: unknown): Promise<number | undefined> =>
  (await call(method, params)).error?.code;
const kindOf = (event: Json | undefined): string => Object.keys(event ?? {})[0] ?? '';
const list = async (params: Json = {}): Promise<{tasks: TaskJson[]; nextPageToken: string}> =>
  (await call('ListTasks', params)).result as unknown as {tasks: TaskJson[]; nextPageToken: string};

describe('core operations [peer.kit]', () => {
  test('CORE-SEND-001 CORE-EXECUTION-MODE-001 CORE-MULTI-001a CORE-MULTI-003', async () => {
    const [one, two] = [await send('Hi'), await send('Hi')];
    expect(one).toMatchObject({status: {state: 'TASK_STATE_COMPLETED'}, contextId: expect.stringMatching(/./)});
    expect(one.id).not.toBe(two.id);
  });

  test('CORE-SEND-002: a task that has ended takes no message', async () => {
    const {id, contextId} = await send('Hi');
    expect(await codeOf('SendMessage', {message: message('More', {taskId: id, contextId})})).toBe(-32004);
  });

  test('CORE-SEND-003 HTTP_JSON-STATUS-001: a part of another kind', async () => {
    const parts = [{raw: 'dGNr', mediaType: 'application/x-unsupported'}];
    expect(await codeOf('SendMessage', {message: message('', {parts})})).toBe(-32005);
    expect((await rest('POST', '/message:send', {message: message('', {parts})})).status).toBe(415);
  });

  test('CORE-EXECUTION-MODE-002 CORE-CANCEL-001 CORE-CANCEL-002', async () => {
    const task = await send('wait', {}, {returnImmediately: true});
    expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
    const {result} = await call('CancelTask', {id: task.id});
    expect(result).toMatchObject({id: task.id, status: {state: 'TASK_STATE_CANCELED'}});
    expect(await codeOf('CancelTask', {id: task.id})).toBe(-32002);
    expect((await rest('POST', `/tasks/${task.id}:cancel`)).status).toBe(409);
  });

  test.each([
    ['CORE-GET-002', 'GetTask', {id: 'none'}],
    ['CORE-CANCEL-003', 'CancelTask', {id: 'none'}],
    ['STREAM-SUB-004', 'SubscribeToTask', {id: 'none'}],
    [
      'CORE-MULTI-004',
      'SendMessage',
      {message: {messageId: 'm', role: 'ROLE_USER', parts: [{text: 'x'}], taskId: 'none'}},
    ],
  ])('%s: there is no such task', async (_, method, params) => {
    expect(await codeOf(method, params)).toBe(-32001);
  });

  test('CORE-GET-001 CORE-HIST-001 CORE-HIST-002 CORE-HIST-003 CORE-HIST-005 CORE-HIST-006', async () => {
    const sent = await send('Remember me', {}, {historyLength: 0});
    expect(sent.history ?? []).toEqual([]);
    const get = async (more: Json = {}) =>
      (await call('GetTask', {id: sent.id, ...more})).result as unknown as TaskJson;
    const whole = await get();
    expect(whole).toMatchObject({status: {state: 'TASK_STATE_COMPLETED'}, artifacts: [{name: 'response'}]});
    expect(whole.history?.[0]?.parts).toMatchObject([{text: 'Remember me'}]);
    expect((await get({historyLength: 0})).history ?? []).toEqual([]);
    expect((await get({historyLength: 1})).history ?? []).toHaveLength(1);
  });

  test('CORE-LIST-001 to CORE-LIST-005', async () => {
    const context = {contextId: `kit-context-${Date.now()}`};
    const sent = [await send('1', context), await send('2', context), await send('3', context)];
    expect(sent.map((task) => task.contextId)).toEqual(sent.map(() => context.contextId));
    const first = await list({...context, pageSize: 2});
    expect(first.nextPageToken).not.toBe('');
    const second = await list({...context, pageSize: 2, pageToken: first.nextPageToken});
    expect(second.nextPageToken).toBe('');
    const all = [...first.tasks, ...second.tasks];
    expect(all.map(({id}) => id).sort()).toEqual(sent.map(({id}) => id).sort());
    const times = all.map(({status}) => Date.parse(status.timestamp));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(all.every((task) => task.artifacts === undefined)).toBe(true);
    expect((await list({...context, includeArtifacts: true})).tasks[0]?.artifacts).toHaveLength(1);
    const {result} = await call('ListTasks', context, {authorization: `Bearer ${other}`});
    expect(result?.['tasks'] ?? []).toEqual([]);
  });

  test('CORE-MULTI-002 CORE-MULTI-005 CORE-MULTI-006', async () => {
    expect((await send('Hi', {contextId: 'kit-own-context'})).contextId).toBe('kit-own-context');
    const asked = await send('write');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const wrong = await codeOf('SendMessage', {message: message('no', {taskId: asked.id, contextId: 'another'})});
    expect(wrong).toBeLessThan(0);
    const done = await send('no', {taskId: asked.id});
    expect(done).toMatchObject({id: asked.id, contextId: asked.contextId});
  });

  test.each([
    ['no message', 'SendMessage', {}],
    ['no parts', 'SendMessage', {message: {messageId: 'm', role: 'ROLE_USER', parts: []}}],
    ['no message id', 'SendMessage', {message: {role: 'ROLE_USER', parts: [{text: 'x'}]}}],
    ['no id', 'GetTask', {}],
    ['a text', 'GetTask', 'x'],
    ['a size that is no number', 'ListTasks', {pageSize: 'many'}],
    ['a negative length', 'GetTask', {id: 'none', historyLength: -1}],
  ])('CORE-ERR-001 CORE-ERR-002: %s', async (_, method, params) => {
    const {error} = await call(method, params);
    expect([-32600, -32602, -32001]).toContain(error?.code);
    expect(error?.message).toMatch(/\w/);
  });
});

describe('streams [peer.kit]', () => {
  test('CORE-STREAM-001 CORE-STREAM-003 STREAM-ORDER-001', async () => {
    const events = await stream('SendStreamingMessage', {message: message('Hi')});
    expect(kindOf(events[0])).toBe('task');
    const last = events.at(-1)?.['statusUpdate'] as {status: {state: string}} | undefined;
    expect(last?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(events.slice(1).every((one) => ['statusUpdate', 'artifactUpdate'].includes(kindOf(one)))).toBe(true);
  });

  test('STREAM-SUB-001 STREAM-SUB-002 STREAM-ORDER-002 STREAM-ORDER-003', async () => {
    const {id} = await send('wait', {}, {returnImmediately: true});
    const subscribe = () => post({jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: {id}});
    // The head of an answer comes with its first event.
    const several = await Promise.all([subscribe(), subscribe()]);
    await call('CancelTask', {id});
    const [one = [], two = []] = await Promise.all(several.map(eventsOf));
    expect([kindOf(one[0]), kindOf(two[0])]).toEqual(['task', 'task']);
    const stateOf = (events: readonly Json[]) =>
      (events.at(-1)?.['statusUpdate'] as {status: {state: string}} | undefined)?.status.state;
    expect([stateOf(one), stateOf(two)]).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_CANCELED']);
  });

  test('STREAM-SUB-003: a task that has ended', async () => {
    const {id} = await send('Hi');
    expect(await codeOf('SubscribeToTask', {id})).toBe(-32004);
  });
});

describe('the card [peer.kit]', () => {
  test('CARD-DISC-001 CARD-PROTO-001 CARD-PROTO-002 CARD-STRUCT-001 CARD-CACHE-001 CARD-CACHE-002', async () => {
    const address = `${place.url}/.well-known/agent-card.json`;
    const response = await fetch(address);
    const card = (await response.json()) as {supportedInterfaces: Json[]; skills: Json[]} & Json;
    for (const field of ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes'])
      expect([field, card[field]]).toEqual([field, expect.anything()]);
    for (const one of card.supportedInterfaces)
      expect(one).toMatchObject({url: expect.stringMatching(/^http/), protocolBinding: expect.any(String)});
    for (const skill of card.skills)
      expect(skill).toMatchObject({id: expect.any(String), name: expect.any(String), tags: expect.anything()});
    expect(response.headers.get('cache-control')).toMatch(/max-age=\d+/);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(address, {headers: {'if-none-match': etag}})).status).toBe(304);
  });

  test('CARD-EXT-001: the extended card needs a login', async () => {
    expect((await call('GetExtendedAgentCard', {})).result).toMatchObject({name: 'gemini'});
    expect((await post({jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard'}, {authorization: ''})).status).toBe(401);
  });
});

describe('JSON-RPC [peer.kit]', () => {
  test.each([
    ['a body that is no JSON', '{"jsonrpc":', -32700],
    ['no version', {id: 1, method: 'ListTasks'}, -32600],
    ['another version', {jsonrpc: '1.0', id: 1, method: 'ListTasks'}, -32600],
    ['no method', {jsonrpc: '2.0', id: 1}, -32600],
    ['a method that is no text', {jsonrpc: '2.0', id: 1, method: 5}, -32600],
    ['a method that is not there', {jsonrpc: '2.0', id: 1, method: 'Nothing', params: {}}, -32601],
    ['parameters that are no object', {jsonrpc: '2.0', id: 1, method: 'GetTask', params: 'x'}, -32602],
  ])('JSONRPC-ERR: %s', async (_, body, code) => {
    const answer = (await (await post(body)).json()) as Envelope;
    expect([answer.jsonrpc, answer.error?.code]).toEqual(['2.0', code]);
  });

  test.each([['a text'], [7], [0]])('JSONRPC-FMT: the id %j comes back', async (id) => {
    const answer = (await (await post({jsonrpc: '2.0', id, method: 'ListTasks', params: {}})).json()) as Envelope;
    expect(answer).toMatchObject({jsonrpc: '2.0', id});
    expect('error' in answer).toBe(false);
  });

  test('JSONRPC-SSE: a stream is server-sent events', async () => {
    const response = await post({
      ...{jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: {message: message('Hi')}},
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/^data: \{"jsonrpc":"2\.0"/);
  });
});

describe('REST [peer.kit]', () => {
  test('HTTP_JSON-URL-001 HTTP_JSON-URL-002 HTTP_JSON-SVC-001 HTTP_JSON-QP-001', async () => {
    const sent = await rest('POST', '/message:send', {message: message('Hi')});
    expect(sent.headers.get('content-type')).toContain('application/a2a+json');
    const {task} = (await sent.json()) as {task: TaskJson};
    expect(await (await rest('GET', `/tasks/${task.id}?historyLength=0`)).json()).toMatchObject({id: task.id});
    const found = await rest('GET', `/tasks?contextId=${task.contextId}&pageSize=1`);
    expect(await found.json()).toMatchObject({tasks: [{id: task.id}]});
    expect((await rest('GET', '/extendedAgentCard')).status).toBe(200);
  });

  test('HTTP_JSON-ERR-001 HTTP_JSON-ERR-002 HTTP_JSON-STATUS-001', async () => {
    const response = await rest('GET', '/tasks/none');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      {
        error: {
          ...{code: 404, status: 'NOT_FOUND', message: expect.stringMatching(/\w/)},
          details: [expect.objectContaining({reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org'})],
        },
      },
    ]);
  });

  test('HTTP_JSON-SSE-001', async () => {
    const response = await rest('POST', '/message:stream', {message: message('Hi')});
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/^data: \{"task"/);
  });
});

describe('versions [peer.kit]', () => {
  test('VER-SERVER-002: one that is not there', async () => {
    expect((await call('ListTasks', {}, {'a2a-version': '9.0'})).error?.code).toBe(-32009);
    expect((await rest('GET', '/tasks', undefined, {'a2a-version': '9.0'})).status).toBe(400);
  });

  test('VER-CLIENT-002: the third number does not count', async () => {
    expect((await call('ListTasks', {}, {'a2a-version': '1.0.7'})).error).toBeUndefined();
  });

  test('VER-SERVER-001 VER-SERVER-003: without one, it is 0.3', async () => {
    const params = {message: {kind: 'message', messageId: 'm-03', role: 'user', parts: [{kind: 'text', text: 'Hi'}]}};
    const {result} = await call('message/send', params, {'a2a-version': ''});
    expect(result).toMatchObject({kind: 'task', status: {state: 'completed'}});
  });

  test.each([
    ['tasks/get', {id: 'none'}, -32001],
    ['tasks/cancel', {id: 'none'}, -32001],
    ['message/send', {}, -32602],
    ['nothing', {}, -32601],
  ])('0.3: %s %j', async (method, params, code) => {
    expect((await call(method, params, {'a2a-version': '0.3'})).error?.code).toBe(code);
  });

  test('0.3: a task is got, listed in its context, and not cancelled after its end', async () => {
    const params = {message: {kind: 'message', messageId: 'm-04', role: 'user', parts: [{kind: 'text', text: 'Hi'}]}};
    const old = {'a2a-version': '0.3'};
    const {result} = await call('message/send', params, old);
    const {id} = result as unknown as {id: string};
    expect((await call('tasks/get', {id, historyLength: 0}, old)).result).toMatchObject({id, kind: 'task'});
    expect((await call('tasks/cancel', {id}, old)).error?.code).toBe(-32002);
  });
});
