import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {CommandChanges} from '../command-changes.js';
import type {Snapshots} from '../file-state.js';
import type {Variables} from '../git-index.js';
import {findChanges} from './find-changes.js';
import {GitFiles} from './git-files.js';
import {KnownFiles} from './known-files.js';
import {gatherPaths} from './gather-paths.js';
import {TreeWatch, type Happened, type WatchLimits} from './tree-watch.js';
import {walkFolders} from './walk-folders.js';

export interface WatchedOptions {
  readonly roots: readonly string[];
  readonly variables: Variables;
  readonly workspace: Pick<Workspace, 'ignored' | 'ignoreWalk'>;
  readonly store: Snapshots;
  /** A private folder. */
  readonly scratch: string;
  readonly limits: WatchLimits;
  /** Writes through memory maps and other names of a file cause no events: a full check finds them, this often. */
  readonly betweenLooksMs?: number;
}

/** A root, and the repository that it is in. */
export interface Base {
  readonly root: string;
  readonly git: GitFiles | undefined;
}

/** What finding changes needs. */
export interface Watched {
  readonly bases: readonly Base[];
  readonly watch: TreeWatch;
  readonly known: KnownFiles;
  /** Ignored paths that others changed; for one that git holds nevertheless, the former content is unknown. */
  readonly untold: Set<string>;
  readonly workspace: WatchedOptions['workspace'];
  readonly store: Snapshots;
  readonly signal: AbortSignal;
}

/** Files whose changes only a check of each one reveals. */
const MOST_KNOWN = 300_000;
const MOST_COPYING_MS = 700;
/** Changes between two commands; above this limit, everything is checked again. */
const MOST_PENDING = 500;
/** Paths of one command; above this limit, a full check costs less. */
const MOST_NAMED = 5000;
/** After this many changes, git knows more than the copies do. */
const MOST_COUNTED = 200;
const BETWEEN_LOOKS_MS = 60_000;
const TRIES = 3;
const GIT_ONLY = {git: true, gemini: false} as const;

/** The state of the workspace before a command, kept current by a watch on its folders. */
export class WatchedWorkspace {
  readonly #options: WatchedOptions;
  readonly #stop = new AbortController();
  readonly #watched: Watched & {readonly bases: Base[]};
  #lastLook = 0;
  #isStale = false;
  /** Whether everything is known and watched; false when that is not possible. Never rejects. */
  readonly ready: Promise<boolean>;

  constructor(options: WatchedOptions) {
    this.#options = options;
    const {workspace, store, limits} = options;
    this.#watched = {
      bases: [],
      watch: new TreeWatch(limits),
      known: new KnownFiles(store),
      untold: new Set(),
      workspace,
      store,
      signal: this.#stop.signal,
    };
    this.ready = this.#build().then(
      () => !this.#watched.watch.isLost && this.#watched.known.size <= MOST_KNOWN,
      () => false,
    );
  }

  get roots(): readonly string[] {
    return this.#options.roots;
  }

  /** Whether it is still current. Replace a stale one. */
  get isStale(): boolean {
    return this.#isStale || this.#watched.watch.isLost;
  }

  /** Takes in what others changed since the last command. False: too much changed, or some of it is unknown. */
  async sync(): Promise<boolean> {
    const {watch, known, untold} = this.#watched;
    const happened = await watch.take();
    if (happened.isLost || happened.paths.size > MOST_PENDING) return false;
    if (happened.paths.size === 0) return true;
    const {files} = await gatherPaths(this.#watched, happened.paths);
    const paths = [...files];
    const ignored = await this.#options.workspace.ignored(paths);
    for (const [index, path] of paths.entries()) {
      if (ignored[index] === false || known.get(path)) await known.keep(path);
      else untold.add(path);
    }
    return !watch.isLost;
  }

  /** Events in the folders since the last call. */
  take(): Promise<Happened> {
    return this.#watched.watch.take();
  }

  /** What a command changed that began at `since`, given these events. */
  async changes(happened: Happened, since: number): Promise<CommandChanges> {
    const isWhole = happened.isLost || happened.paths.size > MOST_NAMED;
    const isDue = performance.now() - this.#lastLook > (this.#options.betweenLooksMs ?? BETWEEN_LOOKS_MS);
    const wasStale = this.#isStale;
    // Until the changes are taken in, the known state is not current.
    this.#isStale = true;
    const {changes, isRuled, count} = await findChanges(this.#watched, {happened, since, looksAtAll: isWhole || isDue});
    if (isWhole || isDue) this.#lastLook = performance.now();
    this.#isStale = wasStale || isWhole || isRuled || count > MOST_COUNTED;
    return changes;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ready;
    const {watch, bases} = this.#watched;
    watch.close();
    for (const {git} of bases) await git?.close();
  }

  async #build(): Promise<void> {
    const {watch, bases, known} = this.#watched;
    for (const root of this.#options.roots) if (!watch.has(root)) bases.push(await this.#open(root));
    await known.copyNoted(performance.now() + MOST_COPYING_MS);
    this.#lastLook = performance.now();
  }

  async #open(root: string): Promise<Base> {
    const {watch, signal} = this.#watched;
    const {variables, scratch, workspace} = this.#options;
    const isInGit =
      (await GitFiles.open(root, {variables, scratch}).then(async (git) => (await git?.close(), git))) !== undefined;
    const ignores = await workspace.ignoreWalk(isInGit ? GIT_ONLY : {});
    const onFile = isInGit ? {} : {onFile: (path: string) => this.#note(path)};
    await walkFolders(root, {watch, ignores, signal, repository: isInGit ? root : undefined, ...onFile});
    return {root, git: isInGit ? await this.#openGit(root) : undefined};
  }

  /** The current git state, with the files that it does not hold. Throws when it keeps changing. */
  async #openGit(root: string): Promise<GitFiles> {
    const {watch, known, signal} = this.#watched;
    const {variables, scratch} = this.#options;
    // The folders are already watched, so changes during the git run are noticed.
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      signal.throwIfAborted();
      const git = await GitFiles.open(root, {variables, scratch});
      const [loose, ignored] = [await git?.loose(), await git?.heldIgnored()];
      if (git && loose && (await git.isCurrent())) {
        for (const path of ignored ?? []) watch.add(path.slice(0, path.lastIndexOf('/')));
        for (const path of loose) known.note(path);
        return git;
      }
      await git?.close();
    }
    throw new Error(`Git does not report what it holds in ${root}.`);
  }

  #note(path: string): void {
    const {known} = this.#watched;
    if (known.size > MOST_KNOWN) throw new Error('There are too many files.');
    known.note(path);
  }
}
