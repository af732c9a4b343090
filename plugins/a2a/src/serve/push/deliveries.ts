import {setTimeout as wait} from 'node:timers/promises';
import {messageOf} from '@gemini-kernel/kernel';

/** One notification of one receiver. */
export interface Delivery {
  /** Whether it tells the end of the task, which is never left out. */
  readonly isLast: boolean;
  /** Resolves to the status that the receiver answered with. */
  send(signal: AbortSignal): Promise<number>;
}

interface Queue {
  readonly waiting: Delivery[];
  working: Promise<void>;
}

/** Notifications of one receiver that wait; past it, later ones are left out until there is room. */
const MOST_WAITING = 200;
/** Receivers that are delivered to at once; others wait for their turn. */
const MOST_AT_ONCE = 50;
const TRIES_AFTER_MS = [0, 500, 2000];
const LONGEST_MS = 10_000;

/** Delivers notifications: to each receiver in order, one at a time, with a second and a third try. */
export class Deliveries {
  readonly #queues = new Map<string, Queue>();
  readonly #stop = new AbortController();
  readonly #turns: (() => void)[] = [];
  #atWork = 0;

  constructor(private readonly log: (line: string) => void) {}

  add(receiver: string, delivery: Delivery): void {
    const known = this.#queues.get(receiver);
    if (known && !delivery.isLast && known.waiting.length >= MOST_WAITING) return;
    if (known) return void known.waiting.push(delivery);
    const queue: Queue = {waiting: [delivery], working: Promise.resolve()};
    this.#queues.set(receiver, queue);
    queue.working = this.#work(receiver, queue);
  }

  /** Waits until all are delivered, or the time is over. */
  async close(ms: number): Promise<void> {
    const ended = Promise.all([...this.#queues.values()].map(({working}) => working));
    await Promise.race([ended, wait(ms, undefined, {ref: false})]);
    this.#stop.abort();
    await ended;
  }

  async #work(receiver: string, queue: Queue): Promise<void> {
    if (this.#atWork >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#turns.push(resolve));
    this.#atWork += 1;
    for (let next = queue.waiting.shift(); next; next = queue.waiting.shift()) await this.#deliver(receiver, next);
    this.#queues.delete(receiver);
    this.#atWork -= 1;
    this.#turns.shift()?.();
  }

  async #deliver(receiver: string, {send}: Delivery): Promise<void> {
    const {signal} = this.#stop;
    let reason = '';
    for (const pause of TRIES_AFTER_MS) {
      try {
        await wait(pause, undefined, {signal});
        const status = await send(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
        if (status >= 200 && status < 300) return;
        reason = `it answered ${status}`;
        // What it does not want now, it will not want later.
        if (status < 500 && status !== 408 && status !== 429) break;
      } catch (error) {
        reason = signal.aborted ? 'the server is ending' : messageOf(error);
        if (signal.aborted) break;
      }
    }
    this.log(`A notification to ${receiver} was not delivered: ${reason}.`);
  }
}
