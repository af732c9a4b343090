import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, collect, openA2aPlace} from './a2a-place.js';

const write = callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]);
const base = {tenant: ''};

test('a client of the A2A SDK does the same over REST as over JSON-RPC [peer.rest]', async () => {
  await using place = await openA2aPlace([
    says('Hello.'),
    write,
    says('Done.'),
    {...says('One', 'two'), stall: {afterPieces: 1}},
  ]);
  const token = await place.token();
  await place.start();
  const client = await place.client(token, 'rest');
  const task = (await client.sendMessage(asks('Hi'))) as Task;
  expect(artifactsOf(task)).toEqual({response: 'Hello.'});
  expect(await client.getTask({...base, id: task.id, historyLength: 0})).toMatchObject({id: task.id, history: []});
  const all = {...base, contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined};
  expect((await client.listTasks({...all, pageSize: 1})).tasks.map(({id}) => id)).toEqual([task.id]);
  const events = await collect(client.sendMessageStream(asks('Write')));
  const last = events.at(-1)?.payload;
  if (last?.$case !== 'statusUpdate') throw new Error(`The stream ended with ${last?.$case}.`);
  expect(last.value.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const {taskId, contextId} = last.value;
  expect(artifactsOf((await client.sendMessage(asks('yes', {taskId, contextId}))) as Task)).toMatchObject({
    response: 'Done.',
  });
  const running = (await client.sendMessage(asks('Go', {}, true))) as Task;
  const cancelled = await client.cancelTask({...base, id: running.id, metadata: undefined});
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
});

test('REST says what is wrong in the form of the protocol, and no other caller sees a task [peer.rest]', async () => {
  await using place = await openA2aPlace([says('Hello.')]);
  const [mine, other] = [await place.token(), await place.token()];
  await place.start();
  const {id} = (await (await place.client(mine, 'rest')).sendMessage(asks('Hi'))) as Task;
  const ask = async (verb: string, path: string, {token = mine, body = ''} = {}): Promise<unknown> => {
    const headers = {authorization: `Bearer ${token}`, 'a2a-version': '1.0'};
    const response = await fetch(`${place.url}${path}`, {method: verb, headers, ...(body ? {body} : {})});
    const {error} = (await response.json()) as {readonly error?: {readonly code: number; readonly status: string}};
    return error ? [response.status, error.code, error.status] : response.status;
  };
  expect(await ask('GET', `/tasks/${id}`)).toBe(200);
  expect(await ask('GET', `/tasks/${id}`, {token: other})).toEqual([404, 404, 'NOT_FOUND']);
  expect(await ask('POST', `/tasks/${id}:cancel`)).toEqual([409, 409, 'FAILED_PRECONDITION']);
  expect(await ask('POST', '/message:send', {body: '['})).toEqual([400, 400, 'INVALID_ARGUMENT']);
  expect(await ask('POST', '/message:send', {body: '[]'})).toEqual([400, 400, 'INVALID_ARGUMENT']);
  expect(await ask('POST', '/message:send', {body: '{}'})).toEqual([400, 400, 'INVALID_ARGUMENT']);
  expect(await ask('GET', '/tasks?historyLength=many')).toEqual([400, 400, 'INVALID_ARGUMENT']);
  expect(await ask('DELETE', `/tasks/${id}`)).toEqual([404, 404, 'NOT_FOUND']);
  expect(await ask('GET', '/%2e%2e/tasks/%zz')).toEqual([404, 404, 'NOT_FOUND']);
  expect((await fetch(`${place.url}/tasks`)).status).toBe(401);
});

test('a client of protocol 0.3 finds the server by its card, and asks it [peer.earlier]', async () => {
  await using place = await openA2aPlace([says('Hello.'), says('One.')]);
  const token = await place.token();
  await place.start();
  const card = (await (
    await fetch(`${place.url}/.well-known/agent-card.json`, {headers: {'a2a-version': '0.3'}})
  ).json()) as Readonly<Record<string, unknown>>;
  expect(card).toMatchObject({
    ...{url: `${place.url}/`, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0'},
    ...{securitySchemes: {bearer: {type: 'http', scheme: 'bearer'}}, security: [{bearer: []}]},
  });
  const ask = async (method: string, params: object): Promise<Response> =>
    fetch(String(card['url']), {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({jsonrpc: '2.0', id: 7, method, params}),
    });
  const message = (text: string): object => ({
    message: {kind: 'message', messageId: text, role: 'user', parts: [{kind: 'text', text}]},
  });
  const {result} = (await (await ask('message/send', message('Hi'))).json()) as {
    readonly result: {readonly id: string};
  };
  expect(result).toMatchObject({kind: 'task', status: {state: 'completed'}});
  expect(await (await ask('tasks/get', {id: result.id})).json()).toMatchObject({id: 7, result: {id: result.id}});
  const stream = await (await ask('message/stream', message('Again'))).text();
  expect(stream).toMatch(/^data: \{"id":7,"jsonrpc":"2\.0","result":\{"kind":"task"/);
  expect(stream).toContain('"state":"completed"');
  expect(await (await ask('tasks/get', {id: 'gone'})).json()).toMatchObject({error: {code: -32001}});
  expect(await (await ask('SendMessage', message('Hi'))).json()).toMatchObject({error: {code: -32601}});
});
