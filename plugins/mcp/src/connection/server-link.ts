import {setTimeout as sleep} from 'node:timers/promises';
import type {ServerConfig} from '../config/server-config.js';
import {unavailable} from './mcp-errors.js';
import type {OpenServer} from './open-server.js';

export type Open = (config: ServerConfig, signal: AbortSignal) => Promise<OpenServer>;

/** How long to wait before a server that ended is started again. After the last one it stays ended. */
const WAITS_MS = [0, 0, 1000, 5000];
/** A server that works for so long has recovered. */
const RECOVERED_MS = 60_000;

/** The connection to one server: opened when it is first needed, and again after it ended. */
export class ServerLink {
  #open: Promise<OpenServer> | undefined;
  /** When it ended or could not be opened. */
  #ends: number[] = [];
  readonly #closing = new AbortController();

  constructor(
    readonly config: ServerConfig,
    private readonly open: Open,
  ) {}

  /** The open server. Every caller shares it; a signal ends only the waiting of its own. */
  async use(signal: AbortSignal): Promise<OpenServer> {
    signal.throwIfAborted();
    this.#open ??= this.#start();
    return race(this.#open, signal);
  }

  /** The open server, if there is one. */
  async current(): Promise<OpenServer | undefined> {
    return this.#open?.catch(() => undefined);
  }

  async #start(): Promise<OpenServer> {
    const {name} = this.config;
    const now = Date.now();
    this.#ends = this.#ends.filter((at) => now - at < RECOVERED_MS);
    const wait = WAITS_MS[this.#ends.length];
    try {
      if (wait === undefined)
        throw unavailable(name, `it failed ${this.#ends.length} times within a minute and is not started again yet`);
      if (wait > 0) await sleep(wait, undefined, {signal: this.#closing.signal, ref: false});
      const server = await this.open(this.config, this.#closing.signal);
      server.ended.addEventListener('abort', () => this.#forget(), {once: true});
      if (server.ended.aborted) this.#forget();
      return server;
    } catch (error) {
      if (wait !== undefined) this.#ends.push(Date.now());
      this.#open = undefined;
      throw error;
    }
  }

  #forget(): void {
    this.#open = undefined;
    if (!this.#closing.signal.aborted) this.#ends.push(Date.now());
  }

  /** Ends the connection without counting it as a failure, so that the next use opens another one. */
  async renew(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    const server = await open?.catch(() => undefined);
    this.#ends = [];
    await server?.close().catch(() => undefined);
    this.#ends = [];
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#closing.abort(new Error('the session has ended'));
    await (await open?.catch(() => undefined))?.close().catch(() => undefined);
  }
}

async function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, {once: true});
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
