import {createRedisBackend, RedisQueueBackend, type IQueueBackend, type IRedisClient} from 'bullmq';
import type {ChainableCommander, Redis} from 'ioredis';
import {Jobs, type FoundJob} from '../jobs.js';
import type {RedisKeys} from './redis-keys.js';

const QUEUE = 'tasks';
/** Until it is extended at once by how long its worker asked for. */
const LOCK_MS = 30_000;

type Connection = ConstructorParameters<typeof RedisQueueBackend>[0];
/** They have `prefix`, which the type of the options of all backends leaves out. */
type Options = Parameters<typeof createRedisBackend>[1];
type Script = (args: unknown[]) => unknown;

/** BullMQ on a connection; its scripts are known to it when this resolves. */
export async function openBackend(redis: Redis, {prefix}: RedisKeys): Promise<RedisQueueBackend> {
  const options = {connection: redis, prefix, skipVersionCheck: true} as unknown as Options;
  const backend = createRedisBackend(QUEUE, options);
  // What happens to the connection, its calls throw; an error that no one listens to would end the process.
  backend.on('error', () => undefined);
  await backend.waitUntilReady();
  return backend;
}

/** What is written in one step, and which of its commands are scripts of BullMQ. */
export interface Writing {
  readonly multi: ChainableCommander;
  readonly scripts: Set<number>;
}

/** Jobs that are read now, and written with all else in one MULTI. */
export function jobsIn(writing: Writing, reading: RedisQueueBackend, redis: Redis): Jobs {
  const find = async (id: string): Promise<FoundJob> => {
    const [state, token] = await Promise.all([reading.getState(id), redis.get(`${reading.toKey(id)}:lock`)]);
    return {state, token: token ?? undefined};
  };
  return new Jobs(writingTo(writing, reading), find);
}

/** A backend whose scripts are collected instead of run. What they answer is known when all of them have run. */
function writingTo({multi, scripts}: Writing, reading: RedisQueueBackend): IQueueBackend {
  const runCommand = (name: string, args: unknown[]): Promise<unknown> => {
    // The first entry is MULTI itself.
    scripts.add(multi.length - 1);
    (multi as unknown as Readonly<Record<string, Script>>)[name]?.call(multi, args);
    return Promise.resolve(undefined);
  };
  const client = {runCommand, pipeline: () => ({runCommand, exec: () => Promise.resolve([])})};
  const connection = {
    client: Promise.resolve(client as unknown as IRedisClient),
    redisVersion: reading.redisVersion,
    databaseType: reading.databaseType,
  } as unknown as Connection;
  const writing = new RedisQueueBackend(
    connection,
    QUEUE,
    reading.keys,
    (type) => reading.toKey(type),
    {prefix: reading.qualifiedName.slice(0, -QUEUE.length - 1), lockDuration: LOCK_MS} as unknown as Options,
    undefined,
    false,
  );
  // What is only read is asked at once.
  writing.getQueueMetaField = (field) => reading.getQueueMetaField(field);
  return writing;
}
