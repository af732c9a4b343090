import {setTimeout} from 'node:timers/promises';
import type {QueueEngine, QueueEvent} from '@gemini-kernel/plugin-fleet/contract';
import {readAddress, type Address} from './address.js';
import {SharedQueue} from './shared-queue.js';
import type {Store} from './store.js';

const LOOK_MS = 200;

interface Opened {
  readonly store: Store;
  readonly queue: SharedQueue;
}

type Args<M extends keyof QueueEngine> = Parameters<QueueEngine[M]> extends [string, ...infer Rest] ? Rest : never;

/** Queues on servers. Any process of any machine may do anything with them. */
export class SharedQueues implements QueueEngine {
  readonly #opened = new Map<string, Promise<Opened>>();

  /** Aborted when no one reads any more. */
  constructor(private readonly signal: AbortSignal) {}

  async put(address: string, ...args: Args<'put'>): ReturnType<QueueEngine['put']> {
    return (await this.#open(address)).queue.put(...args);
  }

  async claim(address: string, ...args: Args<'claim'>): ReturnType<QueueEngine['claim']> {
    return (await this.#open(address)).queue.claim(...args);
  }

  async beat(address: string, ...args: Args<'beat'>): ReturnType<QueueEngine['beat']> {
    return (await this.#open(address)).queue.beat(...args);
  }

  async finish(address: string, ...args: Args<'finish'>): ReturnType<QueueEngine['finish']> {
    return (await this.#open(address)).queue.finish(...args);
  }

  async fail(address: string, ...args: Args<'fail'>): ReturnType<QueueEngine['fail']> {
    return (await this.#open(address)).queue.fail(...args);
  }

  async cancel(address: string, ids?: readonly string[]): Promise<number> {
    return (await this.#open(address)).queue.cancel(ids);
  }

  async retry(address: string, ids?: readonly string[]): Promise<number> {
    return (await this.#open(address)).queue.retry(ids);
  }

  async set(address: string, ...args: Args<'set'>): Promise<void> {
    return (await this.#open(address)).queue.set(...args);
  }

  async list(address: string, what: Args<'list'>[0]): ReturnType<QueueEngine['list']> {
    return (await this.#open(address)).store.list(what);
  }

  async counts(address: string): ReturnType<QueueEngine['counts']> {
    return (await this.#open(address)).queue.counts();
  }

  async *watch(address: string, after: number): AsyncIterable<QueueEvent> {
    const {store} = await this.#open(address);
    for (let last = after; !this.signal.aborted;) {
      const events = await store.events(last);
      yield* events;
      last = events.at(-1)?.number ?? last;
      if (events.length === 0) await setTimeout(LOOK_MS, undefined, {signal: this.signal}).catch(() => undefined);
    }
  }

  async close(address: string): Promise<void> {
    const opening = this.#opened.get(address);
    this.#opened.delete(address);
    await (await opening?.catch(() => undefined))?.store.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((address) => this.close(address)));
  }

  async #open(address: string): Promise<Opened> {
    const opening = this.#opened.get(address) ?? open(readAddress(address));
    this.#opened.set(address, opening);
    return opening;
  }
}

/** Imports only the driver that is needed. */
async function open(address: Address): Promise<Opened> {
  const store =
    address.engine === 'postgres'
      ? new (await import('./postgres/postgres-store.js')).PostgresStore(address)
      : new (await import('./redis/redis-store.js')).RedisStore(address);
  return {store, queue: new SharedQueue(store)};
}
