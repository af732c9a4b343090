import {setTimeout} from 'node:timers/promises';
import type {CommandChanges} from '../command-changes.js';
import type {Scan} from '../scan-files.js';
import {CommandWatch} from '../watch-command.js';
import {readLimits} from './watch-limits.js';
import {WatchedWorkspace, type WatchedOptions} from './watched-workspace.js';

/** How the workspace is followed: a watch where possible, or a scan of every file before and after. */
export type Following = 'watch' | 'scan';

export interface FollowOptions extends Omit<WatchedOptions, 'limits'> {
  readonly following: Following;
  readonly platform: NodeJS.Platform;
}

/** The key of a command that is about to run. */
export type Followed =
  | {readonly kind: 'watched'; readonly watched: WatchedWorkspace; readonly since: number}
  | {readonly kind: 'scanned'; readonly scan: Scan; readonly watch: CommandWatch};

const MOST_FILES = 20_000;
/** Before and after a command, and once for a new watch. */
const MOST_SCANNING_MS = 700;
const MOST_MAKING_MS = 1000;
/** Once more, for one that is restarted. */
const MOST_REMAKING_MS = 150;
/** Determines what commands change. Where there is no watch, it compares the workspace before and after. */
export class CommandFollower {
  readonly #options: FollowOptions;
  #watched: WatchedWorkspace | undefined;
  #scanning: CommandWatch | undefined;
  #cannotWatch: boolean;
  #hasWaited = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    // On other systems events come late, possibly after the command has ended.
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

  /** Marks the end of a command. The returned function determines what the command changed, and may take time. */
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

  /** Starts a new watch, which is ready for the next command. */
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
