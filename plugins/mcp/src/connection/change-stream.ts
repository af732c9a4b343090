import {setTimeout as sleep} from 'node:timers/promises';
import type {Client, McpSubscription, SubscriptionFilter} from '../sdk/client.js';
import {reasonOf} from './mcp-errors.js';

/** How long to wait before a stream that broke off is opened again. After the last one it stays closed. */
const WAITS_MS = [0, 1000, 5000];
/** A stream that lasts for so long has recovered. */
const RECOVERED_MS = 60_000;

interface Parts {
  readonly client: Pick<Client, 'listen' | 'onerror'>;
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal;
  /** What to hear of, as of now. */
  filter(): SubscriptionFilter;
  /** The stream broke off and is open again: something may have changed unseen. */
  resumed?(): void;
  /** The stream broke off and stays closed. */
  lost?(): void;
}

/**
 * The stream on which a server of the stateless revision tells of changes. The revision cannot add to an open stream: a
 * new one with the whole filter replaces it.
 */
export class ChangeStream {
  #stream: McpSubscription | undefined;
  #opening = Promise.resolve();
  /** When a stream broke off. */
  #breaks: number[] = [];

  constructor(private readonly parts: Parts) {}

  /** Uses a stream that is open already. */
  take(stream: McpSubscription): void {
    this.#stream = stream;
    void stream.closed.then((how) => (how === 'local' ? undefined : this.#resume(stream)));
  }

  /** Opens a stream with the filter as it is now. Rejects when the server refuses. */
  async open(): Promise<void> {
    // One after the other, so that the last stream has the whole filter.
    const opening = this.#opening.then(() => this.#replace());
    this.#opening = opening.catch(() => undefined);
    await opening;
  }

  async #replace(): Promise<void> {
    const before = this.#stream;
    this.take(await this.parts.client.listen(this.parts.filter()));
    // The new one first, so that nothing is missed meanwhile.
    await before?.close();
  }

  async #resume(broken: McpSubscription): Promise<void> {
    const {client, ended, resumed, lost} = this.parts;
    if (this.#stream !== broken) return;
    this.#stream = undefined;
    const now = Date.now();
    this.#breaks = this.#breaks.filter((at) => now - at < RECOVERED_MS);
    const wait = WAITS_MS[this.#breaks.length];
    this.#breaks.push(now);
    try {
      if (wait === undefined) throw new Error(`the stream broke off ${this.#breaks.length} times within a minute`);
      await sleep(wait, undefined, {signal: ended, ref: false});
      await this.open();
      resumed?.();
    } catch (error) {
      if (ended.aborted) return;
      client.onerror?.(new Error(`changes are no longer heard of: ${reasonOf(error)}`));
      lost?.();
    }
  }
}
