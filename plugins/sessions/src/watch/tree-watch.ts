import {watch, type FSWatcher} from 'node:fs';
import {dirname, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {systemCode} from '../system-code.js';

/** What happened in the folders that are watched. */
export interface Happened {
  /** Each path that something happened to; true when a name came or went there. */
  readonly paths: ReadonlyMap<string, boolean>;
  /** More may have happened than is listed. */
  readonly isLost: boolean;
}

export interface WatchLimits {
  /** The system has a limit for each user, which other programs share. */
  readonly mostFolders: number;
  /** Far less than the system queues: when its queue is full, it drops events, and Node does not say so. */
  readonly mostEvents: number;
}

/** A folder that is gone, or that nobody can list, has nothing to watch. */
const PASSED = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP']);

/** Watches folders, each without those below it. Loses everything at once rather than a part without a word. */
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

  /** Watches a folder from now on. What was in it before is for the caller to list, afterwards. */
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

  /** What happened since it was last asked. All that was done before the call is in it. */
  async take(): Promise<Happened> {
    // The system queues events while they happen. Between these two lies one look of Node at the whole queue.
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
