import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {asks, openA2aPlace} from './a2a-place.js';
import {startReceiver} from './receiver.js';

const write = callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]);
const base = {tenant: ''};

/** What a notification of protocol 1.0 is about. */
function kindsOf(seen: readonly {readonly body: Readonly<Record<string, unknown>>}[]): readonly string[] {
  return seen.map(({body}) => {
    const {statusUpdate} = body as {statusUpdate?: {status: {state: string}}};
    return statusUpdate?.status.state ?? Object.keys(body).join();
  });
}

function notifying(text: string, url: string, more: object = {}) {
  const request = asks(text, {}, true);
  const to = {...base, id: 'r1', taskId: '', url, token: 't0ken', authentication: undefined, ...more};
  return {...request, configuration: {...request.configuration, taskPushNotificationConfig: to}};
}

test('a receiver hears in order what a task does, to its end, with its token [peer.push]', async () => {
  await using receiver = await startReceiver({statuses: [503, 500]});
  await using place = await openA2aPlace([says('Hello.')]);
  const token = await place.token('--notify', receiver.host);
  await place.start();
  const client = await place.client(token);
  await client.sendMessage(notifying('Hi', receiver.url));
  await receiver.until('TASK_STATE_COMPLETED');
  // The first is tried three times, before any other.
  expect(kindsOf(receiver.seen).slice(0, 3)).toEqual(['task', 'task', 'task']);
  expect(kindsOf(receiver.seen).at(-1)).toBe('TASK_STATE_COMPLETED');
  expect(JSON.stringify(receiver.seen)).toContain('Hello.');
  expect(receiver.seen.map(({headers}) => headers['x-a2a-notification-token'])).toEqual(
    receiver.seen.map(() => 't0ken'),
  );
  expect(receiver.seen[0]?.headers['content-type']).toBe('application/a2a+json');
});

test('receivers are set, listed, read and removed, by their own caller, also after a restart [peer.push]', async () => {
  await using receiver = await startReceiver();
  await using place = await openA2aPlace([says('Hello.'), write, says('Done.')]);
  const [mine, other] = [await place.token('--notify', receiver.host), await place.token()];
  await place.start();
  const [before, stranger] = [await place.client(mine), await place.client(other)];
  const {id: taskId} = (await before.sendMessage(asks('Hi'))) as Task;
  const authentication = {scheme: 'Bearer', credentials: 's3cret'};
  const config = {...base, id: '', taskId, url: receiver.url, token: '', authentication};
  const made = await before.createTaskPushNotificationConfig(config);
  expect(made.id).not.toBe('');
  await before.createTaskPushNotificationConfig({...config, id: 'second'});
  await place.kill('SIGKILL');
  await place.start();
  const client = await place.client(mine);
  const list = {...base, taskId, pageSize: 0, pageToken: ''};
  const listed = await client.listTaskPushNotificationConfig(list);
  expect(listed.configs.map(({id}) => id)).toEqual([made.id, 'second']);
  await expect(stranger.listTaskPushNotificationConfig(list)).rejects.toThrow();
  expect(await client.getTaskPushNotificationConfig({...base, taskId, id: made.id})).toMatchObject({authentication});
  const rest = await place.client(mine, 'rest');
  await rest.deleteTaskPushNotificationConfig({...base, taskId, id: 'second'});
  expect((await rest.listTaskPushNotificationConfig(list)).configs).toHaveLength(1);
});

test('a client of 0.3 gets whole tasks of 0.3, with its authentication [peer.push]', async () => {
  await using receiver = await startReceiver();
  await using place = await openA2aPlace([says('Hello.')]);
  const authorization = `Bearer ${await place.token('--notify', receiver.host)}`;
  await place.start();
  const to = {id: 'r1', url: receiver.url, authentication: {schemes: ['Basic'], credentials: 'YTpi'}};
  const message = {kind: 'message', messageId: 'm1', role: 'user', parts: [{kind: 'text', text: 'Hi'}]};
  const params = {message, configuration: {blocking: true, pushNotificationConfig: to}};
  const ask = async (method: string, given: object): Promise<{result: Record<string, unknown>}> => {
    const body = {jsonrpc: '2.0', id: 1, method, params: given};
    const answer = await place.post(body, {authorization, 'a2a-version': '0.3'});
    return (await answer.json()) as {result: Record<string, unknown>};
  };
  const {result} = await ask('message/send', params);
  await receiver.until('"completed"');
  expect(receiver.seen.at(-1)).toMatchObject({
    headers: {authorization: 'Basic YTpi', 'content-type': 'application/json'},
    body: {kind: 'task', id: result['id'], status: {state: 'completed'}},
  });
  const set = {taskId: result['id'], pushNotificationConfig: {...to, id: 'r2'}};
  expect(await ask('tasks/pushNotificationConfig/set', set)).toMatchObject({result: set});
  expect((await ask('tasks/pushNotificationConfig/list', {id: result['id']})).result).toHaveLength(2);
});

test('the end of a task is sent before the server ends, also of one that waits for an answer [peer.push]', async () => {
  await using receiver = await startReceiver();
  await using place = await openA2aPlace([write]);
  const token = await place.token('--notify', receiver.host);
  await place.start();
  const {id} = (await (await place.client(token)).sendMessage(notifying('Write', receiver.url))) as Task;
  await receiver.until('INPUT_REQUIRED');
  await place.kill('SIGTERM');
  expect(kindsOf(receiver.seen).at(-1)).toBe('TASK_STATE_CANCELED');
  await place.start();
  const kept = await (await place.client(token)).getTask({...base, id});
  expect(kept.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
});

test('a task whose caller has left is kept, and told of, to its end [peer.push]', async () => {
  await using receiver = await startReceiver();
  await using place = await openA2aPlace([{...says('One', ' two'), pauseMs: 500}]);
  const token = await place.token('--notify', receiver.host);
  await place.start();
  const client = await place.client(token);
  let id = '';
  for await (const {payload} of client.sendMessageStream(notifying('Go', receiver.url)))
    if (payload?.$case === 'artifactUpdate') {
      id = payload.value.taskId;
      break;
    }
  await receiver.until('TASK_STATE_COMPLETED');
  expect((await client.getTask({...base, id})).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
});

test('notifications go to no place of this machine or its networks that the token does not name [peer.push]', async () => {
  await using receiver = await startReceiver();
  await using place = await openA2aPlace(() => says('Hello.'));
  const token = await place.token('--notify', 'localhost:1');
  await place.start();
  const client = await place.client(token);
  const refused = [
    ...[receiver.url, `https://${receiver.host}/`, 'https://localhost/', 'https://[::1]/', 'https://127.1/'],
    ...['https://169.254.169.254/latest', 'https://168.63.129.16/', 'https://10.0.0.1/', 'https://[fe80::1]/'],
    ...['https://[::ffff:169.254.169.254]/', 'http://1.1.1.1/', 'https://me:secret@1.1.1.1/', 'file:///etc/passwd'],
    ...['https://192.168.1.1/', 'https://0.0.0.0/', 'nowhere', ''],
  ];
  for (const url of refused)
    await expect(client.sendMessage(notifying('Hi', url))).rejects.toThrow(/notifications|address|https/);
  expect(place.server.requests).toEqual([]);
  for (const more of [{id: '../x'}, {token: 'a\r\nb: c'}, {authentication: {scheme: 'a b', credentials: ''}}])
    await expect(client.sendMessage(notifying('Hi', 'https://1.1.1.1/', more))).rejects.toThrow(/receiver/);
  expect(receiver.seen).toEqual([]);
  const made = await place.run(['a2a', 'token', 'create', 'x', '--notify', 'http://a/b']);
  expect(made).toMatchObject({code: 42, stderr: expect.stringContaining('--notify does not accept')});
});

test('a redirection is not followed, and a receiver that refuses gets no second try [peer.push]', async () => {
  await using inner = await startReceiver();
  await using receiver = await startReceiver({location: inner.url});
  await using place = await openA2aPlace([says('Hello.')]);
  const token = await place.token('--notify', receiver.host);
  await place.start();
  await (await place.client(token)).sendMessage(notifying('Hi', receiver.url));
  await receiver.until('TASK_STATE_COMPLETED');
  expect(inner.seen).toEqual([]);
  expect(kindsOf(receiver.seen).filter((one) => one === 'task')).toHaveLength(1);
  await place.kill('SIGTERM');
  expect(place.log()).toContain('it answered 302');
  expect(place.log()).not.toContain('t0ken');
});
