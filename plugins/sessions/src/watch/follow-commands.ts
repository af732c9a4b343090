import {setTimeout} from 'node:timers/promises';
import type {CommandChanges} from '../command-changes.js';
import type {Scan} from '../scan-files.js';
import {CommandWatch} from '../watch-command.js';
import {readLimits} from './watch-limits.js';
import {WatchedWorkspace, type WatchedOptions} from './watched-workspace.js';

/** How the workspace is followed: a watch where there is one, or a look at every file before and after. */
export type Following = 'watch' | 'scan';

export interface FollowOptions extends Omit<WatchedOptions, 'limits'> {
  readonly following: Following;
  readonly platform: NodeJS.Platform;
}

/** A command that is about to run, as it is known by. */
export type Followed =
  | {readonly kind: 'watched'; readonly watched: WatchedWorkspace; readonly since: number}
  | {readonly kind: 'scanned'; readonly scan: Scan; readonly watch: CommandWatch};

const MOST_FILES = 20_000;
/** Before and after a command, and once for a watch that is being made. */
const MOST_SCANNING_MS = 700;
const MOST_MAKING_MS = 1000;
/** Once more, for one that is made again. */
const MOST_REMAKING_MS = 150;
/** Tells what commands change. Where nothing watches, it compares the workspace before and after. */
export class CommandFollower {
  readonly #options: FollowOptions;
  #watched: WatchedWorkspace | undefined;
  #scanning: CommandWatch | undefined;
  #cannotWatch: boolean;
  #hasWaited = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    // Elsewhere events come late, and a command would end before its own are there.
    this.#cannotWatch = options.following === 'scan' || options.platform !== 'linux';
  }

  get roots(): readonly string[] {
    return this.#options.roots;
  }

  async before(): Promise<Followed> {
    const watched = await this.#openWatched();
    if (watched) return {kind: 'watched', watched, since: Date.now()};
    const {roots, variables, workspace, store} = this.#options;
    const bounds = {mostFiles: MOST_FILES, mostMs: MOST_SCANNING_MS};
    this.#scanning ??= new CommandWatch(
      {roots, variables, ignored: (paths) => workspace.ignored(paths), ...bounds},
      store,
    );
    return {kind: 'scanned', watch: this.#scanning, scan: await this.#scanning.before()};
  }

  /** Fixes that a command has ended. What it gives finds out what the command changed, and may take its time. */
  async after(followed: Followed): Promise<() => Promise<CommandChanges>> {
    if (followed.kind === 'scanned') return () => followed.watch.after(followed.scan);
    const {watched, since} = followed;
    const happened = await watched.take();
    return async () => {
      const changes = await watched.changes(happened, since);
      if (watched.isStale && watched === this.#watched) await this.#replace();
      return changes;
    };
  }

  async close(): Promise<void> {
    await this.#watched?.close();
  }

  async #openWatched(): Promise<WatchedWorkspace | undefined> {
    if (this.#cannotWatch) return undefined;
    if (this.#watched?.isStale) await this.#replace();
    const watched = (this.#watched ??= this.#make());
    const isReady = await withinTime(watched.ready, this.#hasWaited ? MOST_REMAKING_MS : MOST_MAKING_MS);
    this.#hasWaited = true;
    if (isReady === false) this.#cannotWatch = true;
    if (isReady !== true) return undefined;
    if (await watched.sync()) return watched;
    await this.#replace();
    return undefined;
  }

  /** Makes a new watch, which the next command finds ready. */
  async #replace(): Promise<void> {
    await this.#watched?.close();
    this.#watched = this.#make();
  }

  #make(): WatchedWorkspace {
    return new WatchedWorkspace({...this.#options, limits: readLimits()});
  }
}

async function withinTime(ready: Promise<boolean>, ms: number): Promise<boolean | undefined> {
  const over = new AbortController();
  const late = setTimeout(ms, undefined, {ref: false, signal: over.signal}).catch(() => undefined);
  try {
    return await Promise.race([ready, late]);
  } finally {
    over.abort();
  }
}
