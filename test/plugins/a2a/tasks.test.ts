import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, collect, openA2aPlace} from './a2a-place.js';

const write = callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]);
const base = {tenant: ''};

test('a client of the A2A SDK finds the card, sends a message and gets a completed task [peer.tasks]', async () => {
  await using place = await openA2aPlace([says('Hel', 'lo.')]);
  const token = await place.token();
  await place.start();
  const client = await place.client(token);
  const task = (await client.sendMessage(asks('Hi'))) as Task;
  expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(artifactsOf(task)).toEqual({response: 'Hello.'});
  expect(await client.getTask({...base, id: task.id})).toMatchObject({status: {state: TaskState.TASK_STATE_COMPLETED}});
  const {tasks, totalSize} = await client.listTasks({
    ...{...base, contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined},
  });
  expect([tasks.map(({id}) => id), totalSize]).toEqual([[task.id], 1]);
  const more = (await client.sendMessage(asks('And?', {contextId: task.contextId}))) as Task;
  expect(more.id).not.toBe(task.id);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('Hi');
});

test('a question makes a task wait for input, and the next message answers it [peer.questions]', async () => {
  await using place = await openA2aPlace([write, says('Done.'), write, says('Not done.')]);
  const token = await place.token();
  await place.start();
  const client = await place.client(token);
  const first = await collect(client.sendMessageStream(asks('Write')));
  const last = first.at(-1)?.payload;
  if (last?.$case !== 'statusUpdate') throw new Error(`The stream ended with ${last?.$case}.`);
  const {taskId, contextId, status} = last.value;
  expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(JSON.stringify(status?.message)).toContain('May write_file run? Answer yes or no.');
  const done = (await client.sendMessage(asks('yes', {taskId, contextId}))) as Task;
  expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(artifactsOf(done)).toEqual({response: 'Done.', changed_files: {files: ['b.txt']}});
  expect(await place.read('b.txt')).toBe('two\n');
  const other = (await client.sendMessage(asks('Write again'))) as Task;
  const refused = (await client.sendMessage(asks('perhaps', {taskId: other.id, contextId: other.contextId}))) as Task;
  expect(artifactsOf(refused)).toEqual({response: 'Not done.'});
});

test('a task that runs is cancelled, and another caller neither sees nor cancels it [peer.apart]', async () => {
  await using place = await openA2aPlace([{...says('One', 'two'), stall: {afterPieces: 1}}]);
  const [mine, other] = [await place.token(), await place.token()];
  await place.start();
  const [client, stranger] = [await place.client(mine), await place.client(other)];
  const {id, contextId} = (await client.sendMessage(asks('Go', {}, true))) as Task;
  await expect(stranger.getTask({...base, id})).rejects.toThrow('not found');
  await expect(stranger.cancelTask({...base, id, metadata: undefined})).rejects.toThrow('not found');
  await expect(stranger.sendMessage(asks('yes', {taskId: id, contextId}))).rejects.toThrow();
  const cancelled = await client.cancelTask({...base, id, metadata: undefined});
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
});

test('tasks survive a restart: ended ones as they were, running ones failed, contexts continue [peer.restart]', async () => {
  await using place = await openA2aPlace([
    says('One.'),
    {...says('Two', 'three'), stall: {afterPieces: 1}},
    says('Three.'),
  ]);
  const token = await place.token();
  await place.start();
  const before = await place.client(token);
  const done = (await before.sendMessage(asks('First'))) as Task;
  let running = '';
  for await (const {payload} of before.sendMessageStream(asks('Second')))
    if (payload?.$case === 'artifactUpdate') {
      running = payload.value.taskId;
      break;
    }
  await place.kill('SIGKILL');
  await place.start();
  const client = await place.client(token);
  expect(artifactsOf(await client.getTask({...base, id: done.id}))).toEqual({response: 'One.'});
  const failed = await client.getTask({...base, id: running});
  expect([failed.status?.state, failed.metadata?.['reason']]).toEqual([
    TaskState.TASK_STATE_FAILED,
    'The server ended while this task ran.',
  ]);
  await client.sendMessage(asks('Third', {contextId: done.contextId}));
  const said = JSON.stringify(place.server.requests.at(-1)?.messages);
  for (const text of ['First', 'One.', 'Third']) expect(said).toContain(text);
});

test('of two servers with one store, each knows what the other runs, and takes no message for it [peer.store]', async () => {
  await using place = await openA2aPlace([{...says('One', 'two'), stall: {afterPieces: 1}}]);
  const token = await place.token();
  await place.start();
  const first = await place.client(token);
  const {id, contextId} = (await first.sendMessage(asks('Go', {}, true))) as Task;
  await place.start();
  const second = await place.client(token);
  expect((await second.getTask({...base, id})).status?.state).toBe(TaskState.TASK_STATE_WORKING);
  await expect(second.sendMessage(asks('yes', {taskId: id, contextId}))).rejects.toThrow(
    'Another server runs this task',
  );
  await expect(second.cancelTask({...base, id, metadata: undefined})).rejects.toThrow('Another server runs this task');
  expect((await first.getTask({...base, id})).status?.state).toBe(TaskState.TASK_STATE_WORKING);
  const cancelled = await first.cancelTask({...base, id, metadata: undefined});
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  expect((await second.getTask({...base, id})).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
});

test('a store that no plugin has is named [peer.store]', async () => {
  await using place = await openA2aPlace([]);
  await place.token();
  expect(await place.run(['a2a', 'serve', '--store', 'cloud'])).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('There is no store "cloud" for tasks.\nThere are: files.'),
  });
});

test('a failure of the model is the end of the task, with its sentence [peer.tasks]', async () => {
  await using place = await openA2aPlace([{refuse: {status: 400, message: 'No such thing.'}} as never]);
  const token = await place.token();
  await place.start();
  const task = (await (await place.client(token)).sendMessage(asks('Hi'))) as Task;
  expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
  expect(task.status?.message?.parts[0]?.content?.value).toMatch(/\w+ .*\./);
});

test('a caller that has left subscribes again and hears of the end [peer.tasks]', async () => {
  await using place = await openA2aPlace([{...says('One', ' two'), pauseMs: 1500}]);
  const token = await place.token();
  await place.start();
  const client = await place.client(token);
  let id = '';
  for await (const {payload} of client.sendMessageStream(asks('Go')))
    if (payload?.$case === 'artifactUpdate') {
      id = payload.value.taskId;
      break;
    }
  const events = await collect(client.resubscribeTask({...base, id}));
  const last = events.at(-1)?.payload;
  expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(artifactsOf(await client.getTask({...base, id}))).toEqual({response: 'One two'});
});

test('commands of a task are confined unless the person says otherwise [peer.scoped]', async () => {
  const outside = callsTools(['run_shell_command', {command: 'echo no > "$HOME/planted"; ls -a "$HOME"'}]);
  await using place = await openA2aPlace([outside, says('Tried.')], []);
  const token = await place.token('--mode', 'yolo');
  await place.start();
  await (await place.client(token)).sendMessage(asks('Go'));
  await expect(place.read('../home/planted')).rejects.toThrow('ENOENT');
  expect(place.server.requests.length).toBeGreaterThan(0);
});
