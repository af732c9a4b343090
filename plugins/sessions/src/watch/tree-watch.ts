import {watch, type FSWatcher} from 'node:fs';
import {dirname, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {systemCode} from '../system-code.js';

/** Events in the watched folders. */
export interface Happened {
  /** Each path with an event; true when a name was added or removed there. */
  readonly paths: ReadonlyMap<string, boolean>;
  /** There may be more events than are listed. */
  readonly isLost: boolean;
}

export interface WatchLimits {
  /** The system has a limit per user, which other programs share. */
  readonly mostFolders: number;
  /** Far below the queue limit of the system: when its queue is full, it drops events, and Node does not report it. */
  readonly mostEvents: number;
}

/** A missing or unreadable folder has nothing to watch. */
const PASSED = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP']);

/**
 * Watches folders, each without those below it. When it loses something, it reports everything as lost rather than
 * drop events silently.
 */
export class TreeWatch {
  readonly #limits: WatchLimits;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Watched folders directly below a folder. */
  readonly #below = new Map<string, Set<string>>();
  #paths = new Map<string, boolean>();
  #events = 0;
  #isLost = false;

  constructor(limits: WatchLimits) {
    this.#limits = limits;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /** Watches a folder from now on. The caller lists its content afterwards. */
  add(folder: string): void {
    if (this.#isLost || this.#watchers.has(folder)) return;
    if (this.#watchers.size >= this.#limits.mostFolders) return this.#lose();
    try {
      const watcher = watch(folder, {persistent: false}, (kind, name) => this.#note(folder, kind, name));
      watcher.on('error', () => this.#lose());
      this.#watchers.set(folder, watcher);
      const parent = dirname(folder);
      const siblings = this.#below.get(parent);
      if (siblings) siblings.add(folder);
      else this.#below.set(parent, new Set([folder]));
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      if (!PASSED.has(code)) this.#lose();
    }
  }

  /** Stops watching a folder and all below it. */
  remove(folder: string): void {
    for (const one of this.#below.get(folder) ?? []) this.remove(one);
    this.#below.delete(folder);
    this.#below.get(dirname(folder))?.delete(folder);
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Events since the last call. Everything that was done before the call is included. */
  async take(): Promise<Happened> {
    // The system queues events as they happen. Between these two, Node reads the whole queue once.
    await setImmediate();
    await setImmediate();
    const paths = this.#paths;
    this.#paths = new Map();
    this.#events = 0;
    return {paths, isLost: this.#isLost};
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#below.clear();
  }

  #note(folder: string, kind: string, name: string | null): void {
    if (name === null || (this.#events += 1) > this.#limits.mostEvents) return this.#lose();
    const path = join(folder, name);
    this.#paths.set(path, kind === 'rename' || this.#paths.get(path) === true);
  }

  #lose(): void {
    this.#isLost = true;
    this.#paths = new Map();
    this.close();
  }
}
