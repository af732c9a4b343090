import type {ChainableCommander, Redis} from 'ioredis';
import type {QueueState} from '@gemini-kernel/plugin-fleet/contract';
import type {Jobs} from '../jobs.js';
import type {Head, Row, Transaction} from '../store.js';
import type {RedisKeys} from './redis-keys.js';

/** How many tasks that wait are looked at in one step. */
const PIECE = 100;
/** About how many events are kept. */
const KEPT = 100_000;
/** Digits of a place: members of a sorted set with the same score are in the order of their bytes. */
const DIGITS = 16;

interface Given {
  readonly redis: Redis;
  readonly keys: RedisKeys;
  /** What is written, when all has been read. */
  readonly multi: ChainableCommander;
  readonly head: Head;
  readonly now: number;
  readonly jobs: Jobs;
  readonly isLight: boolean;
}

/** Reads under WATCH, and collects what is written for MULTI. */
export class RedisTransaction implements Transaction {
  constructor(private readonly given: Given) {}

  get head(): Head {
    return this.given.head;
  }

  get now(): number {
    return this.given.now;
  }

  get jobs(): Jobs {
    return this.given.jobs;
  }

  async running(): Promise<readonly Row[]> {
    const {redis, keys} = this.given;
    return this.rows(await redis.smembers(keys.running));
  }

  async rows(ids: readonly string[]): Promise<readonly Row[]> {
    const {redis, keys} = this.given;
    if (ids.length === 0) return [];
    const found = await redis.hmget(keys.entries, ...ids);
    return found.flatMap((entry) => (entry === null ? [] : [JSON.parse(entry) as Row]));
  }

  async next(full: readonly string[]): Promise<Row | undefined> {
    const {redis, keys} = this.given;
    const isFull = new Set(full);
    for (let at = 0; ; at += PIECE) {
      const members = await redis.zrange(keys.waiting, at, at + (isFull.size === 0 ? 0 : PIECE - 1));
      const ids = members.map((member) => member.slice(DIGITS + 1));
      if (ids.length === 0) return undefined;
      const groups = isFull.size === 0 ? [] : await redis.hmget(keys.groups, ...ids);
      const id = ids.find((_, index) => !isFull.has(groups[index] as string));
      if (id !== undefined) return (await this.rows([id]))[0];
    }
  }

  async idsIn(states: readonly QueueState[], most: number): Promise<readonly string[]> {
    const {redis, keys} = this.given;
    const ids: string[] = [];
    for (const state of states) {
      if (state === 'waiting')
        ids.push(...(await redis.zrange(keys.waiting, 0, most - 1)).map((member) => member.slice(DIGITS + 1)));
      if (state === 'failed' || state === 'cancelled') ids.push(...(await redis.zrange(keys[state], 0, most - 1)));
    }
    return ids.slice(0, most);
  }

  async save({head, added, rows, events}: Parameters<Transaction['save']>[0]): Promise<void> {
    const {multi, keys, isLight} = this.given;
    if (!isLight) multi.set(keys.head, JSON.stringify(head));
    for (const row of added) {
      const {task, order} = row;
      multi.zadd(keys.places, order, task.id);
      if (task.group !== undefined) multi.hset(keys.groups, task.id, task.group);
      this.#keep(row);
    }
    for (const {row, before} of rows) {
      if (before !== row.state) this.#leave(row, before);
      this.#keep(row);
    }
    for (const event of events)
      multi.xadd(keys.events, 'MAXLEN', '~', KEPT, `${event.number}-0`, 'event', JSON.stringify(event));
    await Promise.resolve();
  }

  #keep(row: Row): void {
    const {multi, keys} = this.given;
    const {task, state, order, result} = row;
    multi.hset(keys.entries, task.id, JSON.stringify({...row, result: undefined}));
    if (result !== undefined) multi.hset(keys.results, task.id, JSON.stringify(result));
    if (state === 'waiting') multi.zadd(keys.waiting, -(task.priority ?? 0), memberOf(row));
    else if (state === 'running') multi.sadd(keys.running, task.id);
    else if (state === 'failed' || state === 'cancelled') multi.zadd(keys[state], order, task.id);
  }

  #leave(row: Row, before: QueueState): void {
    const {multi, keys} = this.given;
    const {id} = row.task;
    if (before === 'waiting') multi.zrem(keys.waiting, memberOf(row));
    else if (before === 'running') multi.srem(keys.running, id);
    else if (before === 'failed' || before === 'cancelled') multi.zrem(keys[before], id);
  }
}

function memberOf({task, order}: Row): string {
  return `${String(order).padStart(DIGITS, '0')}:${task.id}`;
}
