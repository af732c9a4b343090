import {join} from 'node:path';
import {isFileFault, makePrivateFolder} from '@gemini-kernel/files';
import {isHeld, takeLock, type HeldLock} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {QueueEngine, QueueEvent} from '../contract.js';
import {Journal} from './journal.js';
import {OpenQueue} from './open-queue.js';
import {readJournal} from './read-journal.js';
import {answerRequests, askOwner, type Request} from './requests.js';
import {itemOf, type QueueTasks} from './tasks.js';
import {watchJournal} from './watch-journal.js';

const JOURNAL = 'journal.jsonl';
/** For another machine that shares the folder and cannot ask whether the owner runs. */
const BEAT_MS = 5000;
const LOOK_MS = 200;

interface Owned {
  readonly queue: OpenQueue;
  readonly lock: HeldLock;
  readonly timer: NodeJS.Timeout;
}

type Args<M extends keyof QueueEngine> = Parameters<QueueEngine[M]> extends [string, ...infer Rest] ? Rest : never;

/**
 * Queues in folders of this machine. The first process that puts or claims owns the queue until it closes it; others
 * read its journal, and ask it to cancel, to retry and to pause.
 */
export class LocalQueues implements QueueEngine {
  readonly #owned = new Map<string, Promise<Owned>>();

  /** Aborted when no one reads any more. */
  constructor(private readonly signal: AbortSignal) {}

  async put(folder: string, ...args: Args<'put'>): ReturnType<QueueEngine['put']> {
    return (await this.#own(folder)).put(...args);
  }

  async claim(folder: string, ...args: Args<'claim'>): ReturnType<QueueEngine['claim']> {
    return (await this.#own(folder)).claim(...args);
  }

  async beat(folder: string, ...args: Args<'beat'>): ReturnType<QueueEngine['beat']> {
    return (await this.#own(folder)).beat(...args);
  }

  async finish(folder: string, ...args: Args<'finish'>): ReturnType<QueueEngine['finish']> {
    return (await this.#own(folder)).finish(...args);
  }

  async fail(folder: string, ...args: Args<'fail'>): ReturnType<QueueEngine['fail']> {
    return (await this.#own(folder)).fail(...args);
  }

  async cancel(folder: string, ids?: readonly string[]): Promise<number> {
    return this.#ask<number>(folder, {method: 'cancel', argument: ids});
  }

  async retry(folder: string, ids?: readonly string[]): Promise<number> {
    return this.#ask<number>(folder, {method: 'retry', argument: ids});
  }

  async set(folder: string, what: Args<'set'>[0]): Promise<void> {
    await this.#ask(folder, {method: 'set', argument: what});
  }

  async list(folder: string, {ids, states, after, most = Infinity}: Args<'list'>[0]): ReturnType<QueueEngine['list']> {
    const tasks = await this.#look(folder);
    const entries = ids === undefined ? [...tasks.all()] : ids.flatMap((id) => tasks.get(id) ?? []);
    const start = after === undefined ? -1 : (tasks.get(after)?.order ?? -1);
    return entries
      .filter(({state, order}) => order > start && (states?.includes(state) ?? true))
      .slice(0, most)
      .map(itemOf);
  }

  async counts(folder: string): ReturnType<QueueEngine['counts']> {
    const owned = await this.#owned.get(folder);
    return owned ? owned.queue.counts() : (await this.#look(folder)).counts();
  }

  watch(folder: string, after: number): AsyncIterable<QueueEvent> {
    return watchJournal(join(folder, JOURNAL), after, this.signal);
  }

  async close(folder: string): Promise<void> {
    const opening = this.#owned.get(folder);
    this.#owned.delete(folder);
    const owned = await opening?.catch(() => undefined);
    if (owned === undefined) return;
    clearInterval(owned.timer);
    await owned.queue.close();
    await owned.lock.release();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#owned.keys()].map((folder) => this.close(folder)));
  }

  async #own(folder: string): Promise<OpenQueue> {
    const opening = this.#owned.get(folder) ?? open(folder);
    this.#owned.set(folder, opening);
    try {
      return (await opening).queue;
    } catch (error) {
      this.#owned.delete(folder);
      throw error;
    }
  }

  async #look(folder: string): Promise<QueueTasks> {
    const owned = await this.#owned.get(folder);
    if (owned) return owned.queue.tasks;
    const read = readJournal(join(folder, JOURNAL));
    if (read) return read.tasks;
    throw new KernelError('QUEUE_ABSENT', `There is no queue in ${folder}.`, {
      hint: 'Begin one with gemini fleet run.',
    });
  }

  /** Has the owner do it: this process, another one, or this process for as long as it takes. */
  async #ask<T>(folder: string, request: Request): Promise<T> {
    const isOwner = this.#owned.has(folder);
    if (!isOwner) await this.#look(folder);
    for (;;) {
      try {
        return (await act(await this.#own(folder), request)) as T;
      } catch (error) {
        if (!(error instanceof KernelError) || error.code !== 'QUEUE_BUSY') throw error;
        const answer = await askOwner(folder, request);
        if (answer) return answer.value as T;
      } finally {
        if (!isOwner) await this.close(folder);
      }
    }
  }
}

async function act(queue: OpenQueue, {method, argument}: Request): Promise<unknown> {
  if (method === 'set') return queue.set(argument as Args<'set'>[0]);
  return queue[method](argument as readonly string[] | undefined);
}

async function open(folder: string): Promise<Owned> {
  const lock = await lockOf(folder);
  try {
    const queue = await OpenQueue.over(await Journal.open(join(folder, JOURNAL)));
    const look = (): Promise<void> => answerRequests(folder, (request) => act(queue, request));
    // What cannot be answered now is answered at the next look.
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
    return {queue, lock, timer};
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockOf(folder: string): Promise<HeldLock> {
  try {
    await makePrivateFolder(folder);
    const lock = await takeLock(join(folder, 'queue.lock'), {beatMs: BEAT_MS});
    if (isHeld(lock)) return lock;
    throw new KernelError('QUEUE_BUSY', `Process ${lock.pid} of ${lock.host} works on the queue in ${folder}.`, {
      hint:
        'One process owns a queue in a folder. For workers on several machines, use the plugin fleet-bullmq and ' +
        'give its address: --queue postgres://... or redis://...',
    });
  } catch (error) {
    if (!isFileFault(error) && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    if (error instanceof KernelError) throw error;
    throw new KernelError('QUEUE_UNWRITABLE', `Cannot keep a queue in ${folder}: ${messageOf(error)}`, {
      cause: error,
      hint: 'Name another folder, or make this one writable.',
    });
  }
}
