import {afterAll, expect, test} from '@jest/globals';
import {Queue} from 'bullmq';
import {Redis} from 'ioredis';
import {findRedis, startRedis, type QueueServer} from '../../helpers/queue-servers.js';
import {mixStates, openQueues, refusalOf, runCases, type Subject} from './run-cases.js';

const program = findRedis();
const address = (port: number, more: string, user = ''): string => `redis://${user}127.0.0.1:${port}/0?${more}`;

/** Runs commands of Redis on a server. */
async function command(port: number, ...commands: readonly (readonly string[])[]): Promise<void> {
  const redis = new Redis(port, '127.0.0.1');
  for (const [name = '', ...args] of commands) await redis.call(name, ...args);
  await redis.quit();
}

const subject: Subject = {
  name: 'redis-server',
  start: program === undefined ? undefined : () => startRedis(program),
  address: (port, fleet) => address(port, `fleet=${fleet}`),
  // Its disk is its memory.
  async fill({port}: QueueServer) {
    await command(port, ['CONFIG', 'SET', 'maxmemory', '1']);
    return {free: () => command(port, ['CONFIG', 'SET', 'maxmemory', '0'])};
  },
};

runCases(subject, (on, server) => {
  const queues = openQueues();
  afterAll(() => queues.closeAll());

  on('tools for BullMQ see the tasks in their states [fleet.bullmq]', async () => {
    await mixStates(queues, address(server().port, 'fleet=seen'));
    const redis = new Redis(server().port, '127.0.0.1', {maxRetriesPerRequest: null});
    const queue = new Queue('tasks', {connection: redis, prefix: '{gemini-fleet:seen}'});
    const counts = await queue.getJobCounts('prioritized', 'wait', 'active', 'completed', 'failed');
    await queue.close();
    await redis.quit();
    expect(counts).toEqual({prioritized: 2, wait: 0, active: 1, completed: 1, failed: 1});
  });

  on('a server that may drop keys is refused, and none of it is written [fleet.bullmq]', async () => {
    const {port} = server();
    await command(port, ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']);
    expect(await refusalOf(openQueues().put(address(port, 'fleet=policy'), []))).toEqual([
      'QUEUE_UNSAFE',
      `The server at redis://127.0.0.1:${port}/0 (fleet policy) drops keys when its memory is full: maxmemory-policy is allkeys-lru.`,
    ]);
    await command(port, ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']);
  });

  on('a server that keeps all in memory is refused, unless the address says that it may [fleet.bullmq]', async () => {
    const {port} = server();
    await command(port, ['CONFIG', 'SET', 'appendonly', 'no']);
    expect(await refusalOf(openQueues().put(address(port, 'fleet=memory'), []))).toEqual([
      'QUEUE_UNSAFE',
      `The server at redis://127.0.0.1:${port}/0 (fleet memory) loses everything when it ends: appendonly is no.`,
    ]);
    expect(await queues.put(address(port, 'fleet=memory&durable=no'), [])).toEqual({added: 0, known: 0});
    await command(port, ['CONFIG', 'SET', 'appendonly', 'yes']);
  });

  on('a wrong password is refused, and is in no part of the error [fleet.bullmq]', async () => {
    const {port} = server();
    await command(port, ['CONFIG', 'SET', 'requirepass', 'right-one']);
    const error = await openQueues()
      .counts(address(port, 'fleet=locked', ':wrong-one@'))
      .catch((one: unknown) => one);
    expect(error).toMatchObject({code: 'QUEUE_UNREACHABLE'});
    expect(JSON.stringify(error, ['message', 'cause', 'stack', 'command', 'args', 'code'])).not.toContain('wrong-one');
    const redis = new Redis(port, '127.0.0.1', {password: 'right-one'});
    await redis.config('SET', 'requirepass', '');
    await redis.quit();
  });
});

test('a server that is not there is said to be unreachable at once [fleet.bullmq]', async () => {
  expect(await refusalOf(openQueues().counts('redis://user:secret@127.0.0.1:9/0'))).toEqual([
    'QUEUE_UNREACHABLE',
    'The queue at redis://127.0.0.1:9/0 (fleet default) cannot be reached: connect ECONNREFUSED 127.0.0.1:9',
  ]);
});
