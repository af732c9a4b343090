import type {ChildProcess} from 'node:child_process';
import {KernelError} from '@gemini-kernel/kernel';
import {connect} from '../wire/connect.js';
import type {Lease, Peer} from '../wire/peer.js';
import type {Hello} from '../wire/hello.js';
import {readWatched} from '../wire/watched.js';
import {AtWork} from './at-work.js';
import {Deaths} from './deaths.js';
import {LastLines} from './last-lines.js';
import {describeEnd, diedError, leftOutError} from './process-errors.js';
import {memoryOf} from './process-memory.js';
import type {PluginWatch} from './plugin-watch.js';
import {changed, isKnown} from './read-tree.js';
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
  /** Notes what it does. */
  readonly watch?: PluginWatch;
}

interface Live {
  readonly child: ChildProcess;
  readonly peer: Peer;
  readonly work: AtWork;
  isDead: boolean;
  /** Nothing needs it any more: its end is no death. */
  isStopping: boolean;
}

const IDLE_MS = 60_000;
const HEART_MS = 5000;
/** How long the end of a command may take. */
const FINISH_MS = 2000;

/** The process of one plugin: started when it is first needed, stopped when it is not, and again after a death. */
export class PluginProcess {
  #live: Promise<Live> | undefined;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** It was started with other grants than it would be now. */
  #isStale = false;
  /** Services that live in it keep it. */
  readonly services = new Set<string>();
  readonly plugin: string;
  readonly key: string;
  readonly deaths = new Deaths();
  readonly watch: PluginWatch | undefined;
  starts = 0;

  constructor(private readonly parts: ProcessParts) {
    ({plugin: this.plugin, key: this.key, watch: this.watch} = parts);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The number of the start whose process runs; undefined while none does. */
  get liveStart(): number | undefined {
    return this.#child === undefined ? undefined : this.starts;
  }

  get isLeftOut(): boolean {
    return this.deaths.areTooMany;
  }

  /** Asks the plugin. Throws KernelError PLUGIN_DIED and PLUGIN_LEFT_OUT, and what the plugin throws. */
  async request(
    method: string,
    params: readonly unknown[],
    options: {readonly signal?: AbortSignal | undefined; readonly lease?: Lease} = {},
  ): Promise<unknown> {
    const {signal, lease} = options;
    signal?.throwIfAborted();
    await this.#replace();
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

  /** Has the next request begin with another process, if this one has nothing to do by then. */
  renew(): void {
    this.#isStale = this.#live !== undefined;
  }

  async #replace(): Promise<void> {
    const live = this.#isStale ? await this.#live?.catch(() => undefined) : undefined;
    if (!live || !this.#isStale || !live.work.isIdle) return;
    this.#isStale = false;
    live.isStopping = true;
    this.#stop(live.child);
    this.#bury(live, 'it has other grants now');
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
    if (this.#child) this.#stop(this.#child);
  }

  /** What it is asked by the code of gemini in its process; that of the plugin can only call what was lent. */
  #answer(method: string, [watched]: readonly unknown[]): void {
    if (method !== 'watched') throw new Error('Only what was lent can be called.');
    this.watch?.take(readWatched(watched));
  }

  #stop(child: ChildProcess): void {
    const {peak} = child.pid === undefined ? {peak: undefined} : memoryOf(child.pid);
    if (peak !== undefined) this.watch?.count({peakBytes: peak});
    this.parts.kill(child);
  }

  async #begin(): Promise<Live> {
    if (this.#isClosed) throw new KernelError('PLUGIN_DIED', `${this.plugin} has ended with its session.`);
    if (this.isLeftOut) throw leftOutError(this.plugin, this.deaths.last);
    await this.deaths.wait();
    const ending = new AbortController();
    const greeting = this.parts.greeting();
    greeting.catch(() => undefined);
    try {
      this.starts += 1;
      this.watch?.count({starts: 1});
      const {child, channel} = await this.parts.start(ending.signal);
      this.#child = child;
      const lines = new LastLines(child);
      const peer = connect(channel, {
        answer: (method, params) => this.#answer(method, params),
        fault: (error) => this.#cut(live, `it broke the protocol: ${error.message}`),
      });
      const work = new AtWork({
        beat: () => void this.#beat(live),
        ended: (busyMs) => this.watch?.count({calls: 1, busyMs}),
      });
      const live: Live = {child, peer, work, isDead: false, isStopping: false};
      child.once('error', (error) => this.#end(live, ending, `it cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => this.#end(live, ending, describeEnd(code, signal), lines));
      await this.#greet(live, greeting);
      return live;
    } catch (error) {
      ending.abort();
      this.#live = undefined;
      throw error;
    }
  }

  /** The files are compared while Node starts: no code of the plugin has run before both sides know each other. */
  async #greet(live: Live, greeting: Promise<Hello>): Promise<void> {
    const hello = await greeting.catch((error: unknown) => this.#refuse(live, error));
    if (await isKnown(live.peer, hello, () => this.#cut(live, 'it did not start within 10 s'))) return;
    this.#refuse(live, changed(this.plugin, 'its manifest is another one'));
  }

  #refuse(live: Live, error: unknown): never {
    live.isStopping = true;
    this.#cut(live, 'it is not what gemini knows');
    throw error;
  }

  /** Kills it; what waits for it hears at once, and the next request has another one. */
  #cut(live: Live, reason: string): void {
    this.parts.kill(live.child);
    this.#bury(live, reason);
  }

  #end(live: Live, ending: AbortController, how: string, lines?: LastLines): void {
    ending.abort();
    this.#cut(live, lines?.text ? `${how}; it said: ${lines.text}` : how);
  }

  /** Once for each process. */
  #bury(live: Live, reason: string): void {
    if (live.isDead) return;
    live.isDead = true;
    live.work.stop();
    if (!this.#isClosed && !live.isStopping) {
      this.deaths.add(reason);
      this.watch?.count({deaths: 1, lastDeath: reason});
      this.parts.died?.(reason, this.isLeftOut);
    }
    this.#live = undefined;
    this.#child = undefined;
    this.services.clear();
    live.peer.close(diedError(this.plugin, reason));
  }

  #enter(live: Live): void {
    clearTimeout(this.#idle);
    live.work.enter();
    live.child.ref();
  }

  #leave(live: Live): void {
    live.work.leave();
    if (!live.work.isIdle) return;
    live.child.unref();
    this.#idle = setTimeout(() => {
      if (!live.work.isIdle || this.services.size > 0) return;
      live.isStopping = true;
      this.#stop(live.child);
    }, this.parts.idleMs ?? IDLE_MS).unref();
  }

  async #beat(live: Live): Promise<void> {
    const late = (): void => this.#cut(live, 'it did not answer for 5 s');
    await within(live.peer.request('ping', []), HEART_MS, late).catch(() => undefined);
  }
}
