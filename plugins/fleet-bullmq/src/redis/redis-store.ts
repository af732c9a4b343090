import {once} from 'node:events';
import {setTimeout} from 'node:timers/promises';
import type {RedisQueueBackend} from 'bullmq';
import {KernelError} from '@gemini-kernel/kernel';
import type {QueueEvent, QueueItem} from '@gemini-kernel/plugin-fleet/contract';
import {itemOf, queueAbsent, queueUnwritable} from '@gemini-kernel/plugin-fleet/queues';
import {Redis, type RedisOptions} from 'ioredis';
import type {Address} from '../address.js';
import {
  newHead,
  type ChangeOptions,
  type Head,
  type ListWhat,
  type Row,
  type Store,
  type Transaction,
} from '../store.js';
import {Turns} from '../turns.js';
import {checkServer} from './check-server.js';
import {redisFault} from './redis-fault.js';
import {jobsIn, openBackend} from './redis-jobs.js';
import {keysOf, type RedisKeys} from './redis-keys.js';
import {RedisTransaction} from './redis-transaction.js';

const CONNECT_MS = 4000;
const ANSWER_MS = 8000;
const TRIES = 200;
const PAUSE_MS = 20;
/** How many tasks one step of a list reads. */
const PIECE = 500;

interface Link {
  readonly redis: Redis;
  readonly backend: RedisQueueBackend;
}

/** Queues on Redis or Valkey: one connection, on which one call runs at a time. */
export class RedisStore implements Store {
  readonly #turns = new Turns();
  readonly #keys: RedisKeys;
  #link: Link | undefined;

  constructor(private readonly address: Address) {
    this.#keys = keysOf(address.fleet);
  }

  async change<T>(act: (transaction: Transaction) => Promise<T>, options: ChangeOptions): Promise<T> {
    return this.#run(async (link) => {
      for (let left = TRIES; left > 0; left -= 1) {
        const answer = await this.#transact(link, act, options);
        if (answer) return answer.value;
        await setTimeout(Math.random() * PAUSE_MS);
      }
      throw queueUnwritable(`Others changed the queue at ${this.address.shown} all the time.`, {
        hint: 'Try again, with fewer workers. Nothing was changed.',
      });
    });
  }

  async list({ids, states, after, most = Infinity}: ListWhat): Promise<readonly QueueItem[]> {
    return this.#run(async ({redis}) => {
      await this.#headOf(redis, 'refuse');
      const keys = this.#keys;
      const place = after === undefined ? null : await redis.zscore(keys.places, after);
      const first = place === null ? 0 : Number(place) + 1;
      const all = ids ?? (await redis.zrange(keys.places, first, -1));
      const items: QueueItem[] = [];
      for (let at = 0; at < all.length && items.length < most; at += PIECE) {
        const rows = await this.#rows(redis, all.slice(at, at + PIECE));
        const meant = rows.filter(({state, order}) => order >= first && (states?.includes(state) ?? true));
        items.push(...(await this.#items(redis, meant)));
      }
      return items.slice(0, most);
    });
  }

  async events(after: number): Promise<readonly QueueEvent[]> {
    return this.#run(async ({redis}) => {
      const found = await redis.xrange(this.#keys.events, `(${Math.max(0, after)}-0`, '+', 'COUNT', 500);
      if (found.length === 0) await this.#headOf(redis, 'refuse');
      return found.map(([, fields]) => JSON.parse(fields[1] as string) as QueueEvent);
    });
  }

  async close(): Promise<void> {
    await this.#turns.take(async () => {
      const redis = this.#link?.redis;
      const ended = redis?.status === 'ready' ? once(redis, 'end') : undefined;
      this.#drop();
      await ended;
    });
  }

  async #rows(redis: Redis, ids: readonly string[]): Promise<readonly Row[]> {
    const found = ids.length === 0 ? [] : await redis.hmget(this.#keys.entries, ...ids);
    return found.flatMap((entry) => (entry === null ? [] : [JSON.parse(entry) as Row]));
  }

  async #items(redis: Redis, rows: readonly Row[]): Promise<readonly QueueItem[]> {
    const done = rows.filter(({state}) => state === 'done').map(({task}) => task.id);
    const found = done.length === 0 ? [] : await redis.hmget(this.#keys.results, ...done);
    const results = new Map(done.map((id, index) => [id, found[index]]));
    return rows.map((row) => {
      const result = results.get(row.task.id);
      return itemOf({...row, ...(result ? {result: JSON.parse(result) as unknown} : {})});
    });
  }

  /** Undefined if another transaction was faster. */
  async #transact<T>(
    {redis, backend}: Link,
    act: (transaction: Transaction) => Promise<T>,
    {whenAbsent, isLight = false}: ChangeOptions,
  ): Promise<{readonly value: T} | undefined> {
    const keys = this.#keys;
    const multi = redis.multi();
    const scripts = new Set<number>();
    await redis.watch(keys.head);
    const {head, isNew} = await this.#headOf(redis, whenAbsent);
    if (isNew) multi.set(keys.head, JSON.stringify(head));
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
    const now = seconds * 1000 + Math.floor(micros / 1000);
    const jobs = jobsIn({multi, scripts}, backend, redis);
    const value = await act(new RedisTransaction({redis, keys, multi, head, now, jobs, isLight}));
    // One entry is MULTI itself.
    if (multi.length <= 1) {
      await redis.unwatch();
      return {value};
    }
    const answers = await multi.exec();
    if (answers === null) return undefined;
    // The ledger was written with the rest. A job that BullMQ could not move is put right when it is given out again.
    for (const [index, [error]] of answers.entries()) if (error && !scripts.has(index)) throw error;
    return {value};
  }

  async #headOf(redis: Redis, whenAbsent: 'make' | 'refuse'): Promise<{readonly head: Head; readonly isNew: boolean}> {
    const head = await redis.get(this.#keys.head);
    if (head !== null) return {head: JSON.parse(head) as Head, isNew: false};
    if (whenAbsent === 'make') return {head: newHead(), isNew: true};
    throw queueAbsent(`There is no queue at ${this.address.shown}.`, {
      hint: 'Begin one with gemini fleet run.',
    });
  }

  /** Runs it on a connection that works, and throws away one on which it failed: it may watch keys. */
  async #run<T>(act: (link: Link) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      try {
        return await act(await this.#connect());
      } catch (error) {
        const isWatching = this.#link?.redis.status === 'ready';
        if (isWatching && error instanceof KernelError) await this.#link?.redis.unwatch().catch(() => this.#drop());
        else this.#drop();
        throw redisFault(error, this.address.shown);
      }
    });
  }

  #drop(): void {
    const redis = this.#link?.redis;
    this.#link = undefined;
    // On one that has ended, it would wait for the end for two more seconds.
    if (redis?.status !== 'end') redis?.disconnect();
  }

  async #connect(): Promise<Link> {
    if (this.#link?.redis.status === 'ready') return this.#link;
    this.#drop();
    const redis = new Redis(optionsOf(this.address.url));
    let last: unknown;
    redis.on('error', (error) => (last = error));
    // The driver waits longer for a server that takes a connection and says nothing.
    const late = globalThis.setTimeout(() => {
      last = new Error('The server does not answer.');
      redis.disconnect();
    }, CONNECT_MS);
    try {
      await redis.connect();
      await checkServer(redis, this.address);
      return (this.#link = {redis, backend: await openBackend(redis, this.#keys)});
    } catch (error) {
      if ((redis.status as string) !== 'end') redis.disconnect();
      throw error instanceof KernelError ? error : (last ?? error);
    } finally {
      clearTimeout(late);
    }
  }
}

/** A connection is used until it breaks: what is sent again on another one would no longer watch anything. */
function optionsOf({protocol, hostname, port, username, password, pathname}: URL): RedisOptions {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    ...(username === '' ? {} : {username: decodeURIComponent(username)}),
    ...(password === '' ? {} : {password: decodeURIComponent(password)}),
    db: Number(pathname.slice(1)),
    ...(protocol === 'rediss:' ? {tls: {servername: hostname}} : {}),
    ...{lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false},
    ...{connectTimeout: CONNECT_MS, commandTimeout: ANSWER_MS, keepAlive: 10_000},
  };
}
