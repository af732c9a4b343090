import {LegacyRestTransport} from '@a2a-js/sdk/compat/v0_3/client';
import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, collect, openA2aPlace, type A2aPlace} from './a2a-place.js';

const base = {tenant: ''};

/** The client of the official SDK for REST of 0.3. */
function earlierClient({url}: A2aPlace, token: string): LegacyRestTransport {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, {...init, headers});
  };
  return new LegacyRestTransport({endpoint: url, fetchImpl});
}

test('a client of 0.3 does over REST what it does over JSON-RPC [peer.earlier]', async () => {
  await using place = await openA2aPlace([
    says('Hello.'),
    callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]),
    says('Done.'),
    {...says('One', 'two'), stall: {afterPieces: 1}},
  ]);
  const token = await place.token('--notify', 'localhost:9');
  await place.start();
  const client = earlierClient(place, token);
  expect(await client.getExtendedAgentCard(base)).toMatchObject({name: 'gemini', securitySchemes: {bearer: {}}});
  const task = (await client.sendMessage(asks('Hi'))) as Task;
  expect(artifactsOf(task)).toEqual({response: 'Hello.'});
  expect(await client.getTask({...base, id: task.id, historyLength: 0})).toMatchObject({id: task.id, history: []});
  const events = await collect(client.sendMessageStream(asks('Write')));
  expect(events.map(({payload}) => payload?.$case)).toContain('task');
  const last = events.at(-1)?.payload;
  if (last?.$case !== 'statusUpdate') throw new Error(`The stream ended with ${last?.$case}.`);
  expect(last.value.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const {taskId, contextId} = last.value;
  const done = (await client.sendMessage(asks('yes', {taskId, contextId}))) as Task;
  expect(artifactsOf(done)).toMatchObject({response: 'Done.'});
  expect(done.history.length).toBeGreaterThan(1);
  const running = (await client.sendMessage(asks('Go', {}, true))) as Task;
  const about = {...base, taskId: running.id};
  const receiver = {...about, id: 'mine', url: 'http://localhost:9/', token: 't', authentication: undefined};
  expect(await client.createTaskPushNotificationConfig(receiver)).toMatchObject({id: 'mine', taskId: running.id});
  expect(await client.getTaskPushNotificationConfig({...about, id: 'mine'})).toMatchObject({url: receiver.url});
  const listed = {...about, pageSize: 0, pageToken: ''};
  expect((await client.listTaskPushNotificationConfig(listed)).configs).toMatchObject([{id: 'mine'}]);
  await client.deleteTaskPushNotificationConfig({...about, id: 'mine'});
  expect((await client.listTaskPushNotificationConfig(listed)).configs).toEqual([]);
  const again = collect(client.resubscribeTask({...base, id: running.id}));
  const cancelled = await client.cancelTask({...base, id: running.id, metadata: undefined});
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  expect((await again).length).toBeGreaterThan(0);
});

test('it says what is wrong as 0.3 does, and keeps the versions apart [peer.earlier]', async () => {
  await using place = await openA2aPlace([says('Hello.'), says('Hello.')]);
  const [mine, other] = [await place.token(), await place.token()];
  await place.start();
  const {id} = (await earlierClient(place, mine).sendMessage(asks('Hi'))) as Task;
  const ask = async (verb: string, path: string, {token = mine, body = '', version = ''} = {}): Promise<unknown> => {
    const headers = {authorization: `Bearer ${token}`, ...(version ? {'a2a-version': version} : {})};
    const response = await fetch(`${place.url}${path}`, {method: verb, headers, ...(body ? {body} : {})});
    const {code, error} = (await response.json()) as {readonly code?: number; readonly error?: object};
    return error ? [response.status, 'error of 1.0'] : [response.status, code];
  };
  const message = (content: readonly object[]): string =>
    JSON.stringify({message: {message_id: 'a', role: 'ROLE_USER', content}, configuration: {blocking: true}});
  const found = [200, undefined];
  expect(await ask('GET', `/v1/tasks/${id}`)).toEqual(found);
  expect(await ask('GET', `/v1/tasks/${id}?history_length=1`, {version: '0.3'})).toEqual(found);
  expect(await ask('POST', `/v1/tasks/${id}:cancel`, {body: 'null'})).toEqual([409, -32002]);
  expect(await ask('GET', `/v1/tasks/${id}`, {token: other})).toEqual([404, -32001]);
  expect(await ask('GET', `/v1/tasks/${id}?historyLength=many`)).toEqual([400, -32602]);
  expect(await ask('POST', '/v1/message:send', {body: message([{text: 'Hi'}])})).toEqual(found);
  expect(await ask('POST', '/v1/message:send', {body: message([{file: {file_with_uri: 'file:///etc'}}])})).toEqual([
    415, -32005,
  ]);
  for (const body of ['{}', '{"message":7}', '{"message":{"role":"ROLE_USER","content":"x"}}', message([])])
    expect([body, await ask('POST', '/v1/message:send', {body})]).toEqual([body, [400, -32602]]);
  expect(await ask('POST', '/v1/message:send', {body: '['})).toEqual([400, -32700]);
  expect(await ask('GET', '/v1/tasks')).toEqual([404, -32001]);
  // What one version has at its addresses is not there in the other.
  expect(await ask('GET', `/tasks/${id}`)).toEqual([404, -32001]);
  expect(await ask('GET', `/v1/tasks/${id}`, {version: '1.0'})).toEqual([404, 'error of 1.0']);
  expect((await fetch(`${place.url}/v1/card`)).status).toBe(401);
});
