import type {ChildProcess} from 'node:child_process';
import {KernelError} from '@gemini-kernel/kernel';
import {connect} from '../wire/connect.js';
import type {Lease, Peer} from '../wire/peer.js';
import {LastLines} from './last-lines.js';
import type {Hello} from '../wire/hello.js';
import {changed} from './read-tree.js';
import type {StartedProgram} from './start-program.js';
import {withCancel, within} from './waiting.js';

interface ProcessParts {
  readonly plugin: string;
  /** Unlike that of any other. */
  readonly key: string;
  /** Milliseconds without work after which it is stopped. */
  readonly idleMs?: number;
  /** The first request to it. Throws KernelError PLUGIN_CHANGED. */
  greeting(): Promise<Hello>;
  start(signal: AbortSignal): Promise<StartedProgram>;
  kill(child: ChildProcess): void;
  /** Called when it has ended and was still needed. */
  died?(reason: string, isLeftOut: boolean): void;
}

interface Live {
  readonly child: ChildProcess;
  readonly peer: Peer;
  /** What is at work in it. */
  calls: number;
  heart: NodeJS.Timeout | undefined;
  isDead: boolean;
  /** Nothing needs it any more: its end is no death. */
  isStopping: boolean;
}

const HANDSHAKE_MS = 10_000;
const IDLE_MS = 60_000;
const HEART_MS = 5000;
/** How long the end of a command may take. */
const FINISH_MS = 2000;
/** Before the first, second and any later start after a death. */
const DELAYS = [0, 1000, 5000];
const WINDOW_MS = 60_000;
const MOST_DEATHS = 3;

/** The process of one plugin: started when it is first needed, stopped when it is not, and again after a death. */
export class PluginProcess {
  #live: Promise<Live> | undefined;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Services that live in it keep it. */
  readonly #services = new Set<string>();
  readonly deaths: number[] = [];
  starts = 0;
  lastDeath: string | undefined;

  constructor(private readonly parts: ProcessParts) {}

  get plugin(): string {
    return this.parts.plugin;
  }

  get key(): string {
    return this.parts.key;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The number of the start whose process runs; undefined while none does. */
  get liveStart(): number | undefined {
    return this.#child === undefined ? undefined : this.starts;
  }

  get isLeftOut(): boolean {
    const since = performance.now() - WINDOW_MS;
    return this.deaths.length >= MOST_DEATHS && (this.deaths.at(-MOST_DEATHS) ?? 0) > since;
  }

  /** Asks the plugin. Throws KernelError PLUGIN_DIED and PLUGIN_LEFT_OUT, and what the plugin throws. */
  async request(
    method: string,
    params: readonly unknown[],
    options: {readonly signal?: AbortSignal | undefined; readonly lease?: Lease} = {},
  ): Promise<unknown> {
    const {signal, lease} = options;
    signal?.throwIfAborted();
    const live = await (this.#live ??= this.#begin());
    this.#enter(live);
    try {
      return await withCancel(live.peer.request(method, params, lease), signal, () =>
        this.#cut(live, 'it did not end after it was cancelled'),
      );
    } finally {
      this.#leave(live);
    }
  }

  /** Takes back what a lease lent, if the process that it was lent to still runs. */
  async release(lease: Lease): Promise<void> {
    (await this.#live?.catch(() => undefined))?.peer.release(lease);
  }

  keep(service: string): void {
    this.#services.add(service);
  }

  drop(service: string): void {
    this.#services.delete(service);
  }

  /** What it prints, once it has been started. */
  async output(): Promise<Pick<ChildProcess, 'stdout' | 'stderr'>> {
    const live = await (this.#live ??= this.#begin()).catch(() => undefined);
    return live?.child ?? {stdout: null, stderr: null};
  }

  /** Asks it to end, so that everything that it printed is there; then ends it. */
  async finish(): Promise<void> {
    const live = await this.#live?.catch(() => undefined);
    if (live) {
      live.isStopping = true;
      const closed = new Promise((resolve) => live.child.once('close', resolve));
      live.peer.request('leave', []).catch(() => undefined);
      await within(closed, FINISH_MS, () => this.parts.kill(live.child));
    }
    this.close();
  }

  /** Ends it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    if (this.#child) this.parts.kill(this.#child);
  }

  async #begin(): Promise<Live> {
    const {plugin} = this.parts;
    if (this.#isClosed) throw new KernelError('PLUGIN_DIED', `${plugin} has ended with its session.`);
    if (this.isLeftOut)
      throw new KernelError(
        'PLUGIN_LEFT_OUT',
        `${plugin} is left out: its process ended ${MOST_DEATHS} times in a minute: ${this.lastDeath ?? 'it ended'}.`,
        {
          hint: `Update or uninstall ${plugin}; a new session tries it again.`,
        },
      );
    const recent = this.deaths.filter((at) => at > performance.now() - WINDOW_MS).length;
    if (recent > 0) await new Promise((resolve) => setTimeout(resolve, DELAYS[recent - 1] ?? DELAYS.at(-1)));
    const ending = new AbortController();
    try {
      const hello = await this.parts.greeting();
      this.starts += 1;
      const {child, channel} = await this.parts.start(ending.signal);
      this.#child = child;
      const lines = new LastLines(child);
      const peer = connect(channel, {
        answer: () => Promise.reject(new Error('Only what was lent can be called.')),
        fault: (error) => this.#cut(live, `it broke the protocol: ${error.message}`),
      });
      const live: Live = {child, peer, calls: 0, heart: undefined, isDead: false, isStopping: false};
      child.once('error', (error) => this.#end(live, ending, `it cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => this.#end(live, ending, describeEnd(code, signal), lines));
      await this.#greet(live, hello);
      return live;
    } catch (error) {
      ending.abort();
      this.#live = undefined;
      throw error;
    }
  }

  /** No code of the plugin has run before both sides know each other. */
  async #greet(live: Live, hello: Hello): Promise<void> {
    const late = (): void => this.#cut(live, 'it did not start within 10 s');
    const answer = (await within(live.peer.request('hello', [hello]), HANDSHAKE_MS, late)) as Partial<Hello> | null;
    if (answer?.protocol === hello.protocol && answer.manifest === hello.manifest) return;
    live.isStopping = true;
    this.#cut(live, 'it is not what gemini knows');
    throw changed(this.parts.plugin, 'its manifest is another one');
  }

  /** Kills it; what waits for it hears at once, and the next request has another one. */
  #cut(live: Live, reason: string): void {
    this.parts.kill(live.child);
    this.#bury(live, reason);
  }

  #end(live: Live, ending: AbortController, how: string, lines?: LastLines): void {
    const said = lines?.text ?? '';
    ending.abort();
    this.parts.kill(live.child);
    this.#bury(live, `${how}${said === '' ? '' : `; it said: ${said}`}`);
  }

  /** Once for each process. */
  #bury(live: Live, reason: string): void {
    if (live.isDead) return;
    live.isDead = true;
    clearInterval(live.heart);
    if (!this.#isClosed && !live.isStopping) {
      this.deaths.push(performance.now());
      this.lastDeath = reason;
      this.parts.died?.(reason, this.isLeftOut);
    }
    this.#live = undefined;
    this.#child = undefined;
    this.#services.clear();
    live.peer.close(this.#died(reason));
  }

  #died(reason: string): KernelError {
    const {plugin} = this.parts;
    return new KernelError('PLUGIN_DIED', `The process of ${plugin} ended: ${reason}.`, {
      hint: `It is started again when it is needed. If it ends again, update or uninstall ${plugin}.`,
    });
  }

  #enter(live: Live): void {
    clearTimeout(this.#idle);
    live.calls += 1;
    live.child.ref();
    live.heart ??= setInterval(() => void this.#beat(live), HEART_MS);
  }

  #leave(live: Live): void {
    live.calls -= 1;
    if (live.calls > 0) return;
    clearInterval(live.heart);
    live.heart = undefined;
    live.child.unref();
    this.#idle = setTimeout(() => {
      if (live.calls > 0 || this.#services.size > 0) return;
      live.isStopping = true;
      this.parts.kill(live.child);
    }, this.parts.idleMs ?? IDLE_MS).unref();
  }

  async #beat(live: Live): Promise<void> {
    await within(live.peer.request('ping', []), HEART_MS, () => this.#cut(live, 'it did not answer for 5 s')).catch(
      () => undefined,
    );
  }
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `it was ended by ${signal}` : `it exited with ${String(code)}`;
}
