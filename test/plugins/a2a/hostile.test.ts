import {request} from 'node:http';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, openA2aPlace, type A2aPlace} from './a2a-place.js';

const hello = {jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}};

/** The status of a request with a Host or an Origin that fetch does not let a test choose. */
function statusOf(place: A2aPlace, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${place.url}/`, {method: 'POST', headers}, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end(JSON.stringify(hello));
  });
}

test('no one is served without a token that counts now [peer.tokens]', async () => {
  await using place = await openA2aPlace([]);
  const refused = await place.run(['a2a', 'serve']);
  expect([refused.code, refused.stderr]).toEqual([42, expect.stringContaining('There is no token')]);
  expect((await place.run(['a2a', 'serve', '--port', 'x', '--json'])).stdout).toContain('PEER_SERVE_INVALID');
  const [token, other] = [await place.token(), await place.token('--days', '1')];
  await place.start();
  const answer = async (value: string): Promise<number> => (await place.post(hello, {authorization: value})).status;
  const [id, secret] = token.split('.');
  for (const value of [
    '',
    'Bearer',
    `Basic ${token}`,
    'Bearer x',
    `Bearer ${id}.`,
    `Bearer ${id}.${other.split('.')[1]}`,
  ])
    expect([value, await answer(value)]).toEqual([value, 401]);
  expect(await answer(`Bearer ${token}`)).toBe(200);
  expect((await fetch(`${place.url}/`)).status).toBe(401);
  const file = join(place.home, '.gemini', 'a2a-tokens.json');
  expect(await readFile(file, 'utf8')).not.toContain(secret);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await place.run(['a2a', 'token', 'revoke', id ?? ''])).toMatchObject({code: 0});
  expect(await answer(`Bearer ${token}`)).toBe(401);
  expect(JSON.parse((await place.run(['a2a', 'token', 'list', '--json'])).stdout)).toMatchObject([{mode: 'default'}]);
  expect(await place.run(['a2a', 'token', 'revoke', 'none'])).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('There is no token with the id "none".') as unknown,
  });
  for (const [words, reason] of [
    [['--directory', 'gone'], 'does not exist'],
    [['--days', '0'], '--days does not accept "0".'],
  ] as const) {
    const {code, stdout} = await place.run(['a2a', 'token', 'create', 'x', '--json', ...words]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      42,
      {error: {code: 'PEER_TOKEN_INVALID', message: expect.stringContaining(reason) as unknown}},
    ]);
  }
});

test('a web page, another name of the server and a flood are refused [peer.guarded]', async () => {
  await using place = await openA2aPlace([]);
  const authorization = `Bearer ${await place.token()}`;
  await place.start();
  expect(await statusOf(place, {authorization, host: 'evil.example'})).toBe(403);
  expect(await statusOf(place, {authorization, origin: 'http://127.0.0.1'})).toBe(403);
  expect((await place.post('x'.repeat(5 * 2 ** 20), {authorization})).status).toBe(413);
  for (const body of ['{', '[]', 'null', '{"jsonrpc":"2.0"}', JSON.stringify({...hello, method: 'Nothing'})]) {
    const response = await place.post(body, {authorization});
    expect(await response.json()).toHaveProperty('error.code');
  }
  expect((await fetch(`${place.url}/other`, {headers: {authorization}})).status).toBe(404);
  const statuses = await Promise.all(
    Array.from({length: 700}, async () => (await place.post(hello, {authorization})).status),
  );
  expect([statuses.includes(429), statuses.every((one) => [200, 429].includes(one))]).toEqual([true, true]);
}, 60_000);

test('neither a body nor a question lets a caller have more than its token says [peer.scoped]', async () => {
  await using place = await openA2aPlace([
    callsTools(['write_file', {file_path: 'b.txt', content: ''}]),
    says('Refused.'),
    callsTools(['read_file', {file_path: '../home/.gemini/settings.json'}]),
    says('Outside.'),
  ]);
  const token = await place.token('--mode', 'plan');
  await place.start();
  const client = await place.client(token);
  const trick = {agentSettings: {isTrusted: true, autoExecute: true, workspacePath: '/'}, mode: 'yolo', cwd: '/'};
  const {message, ...rest} = asks('Write');
  const task = (await client.sendMessage({...rest, message: {...message, metadata: trick}, metadata: trick})) as Task;
  expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(artifactsOf(task)).toEqual({response: 'Refused.'});
  await expect(stat(join(place.project, 'b.txt'))).rejects.toThrow('ENOENT');
  await client.sendMessage(asks('Read'));
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).not.toContain('maxAttempts');
  for (const id of ['../x', '/etc/passwd', '..%2f', 'a'.repeat(500), ''])
    expect(
      await (await place.post({...hello, method: 'GetTask', params: {id}}, {authorization: `Bearer ${token}`})).json(),
    ).toHaveProperty('error');
});

test('a caller cannot approve a plan into a mode that its token does not have [peer.scoped]', async () => {
  await using place = await openA2aPlace([
    callsTools(['exit_plan_mode', {plan_filename: 'a.md', plan: '# Write b.txt'}]),
    callsTools(['write_file', {file_path: 'b.txt', content: ''}]),
    says('Stopped.'),
  ]);
  const token = await place.token('--mode', 'plan');
  await place.start();
  const client = await place.client(token);
  let task = (await client.sendMessage(asks('Plan'))) as Task;
  // What a rule asks about is asked; the choice of a mode is not.
  for (const answer of ['yes', 'auto_edit'])
    if (task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) {
      expect(JSON.stringify(task.status)).not.toContain('auto_edit');
      task = (await client.sendMessage(asks(answer, {taskId: task.id, contextId: task.contextId}))) as Task;
    }
  expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  await expect(stat(join(place.project, 'b.txt'))).rejects.toThrow('ENOENT');
});

test('many tasks at once each end, and one caller runs no more than twenty [peer.limits]', async () => {
  await using place = await openA2aPlace(() => says('Done.'));
  const token = await place.token();
  await place.start();
  const client = await place.client(token);
  const ends = await Promise.all(Array.from({length: 40}, async () => (await client.sendMessage(asks('Go'))) as Task));
  const states = new Set(ends.map(({status}) => status?.state));
  expect([...states].sort()).toEqual([TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_REJECTED]);
}, 60_000);
