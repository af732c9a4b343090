import {MOST_EACH, MOST_KEPT, unkept} from '../command-changes.js';
import {stateOf, type FileState, type Snapshots} from '../file-state.js';
import {isSameLook, lookAt, type Look} from '../scan-files.js';

const AT_ONCE = 16;

/** What is known about a file that git does not hold unchanged. */
export interface KnownFile {
  /** Undefined: it did not exist. */
  readonly look: Look | undefined;
  readonly state: FileState;
}

/** Files that git does not hold unchanged: their stat data, and copies of as many as fit. */
export class KnownFiles {
  readonly #store: Snapshots;
  readonly #files = new Map<string, KnownFile>();
  readonly #copied = new Set<string>();
  #bytes = 0;

  constructor(store: Snapshots) {
    this.#store = store;
  }

  get size(): number {
    return this.#files.size;
  }

  get(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** Those below a folder. */
  below(folder: string): readonly string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  /** Records the stat data of a file, without a copy. */
  note(path: string): void {
    const look = lookAt(path);
    this.#forget(path);
    if (look) this.#files.set(path, {look, state: unkept(look.size)});
  }

  /** Records the state of a file, with a copy if it fits. */
  async keep(path: string): Promise<void> {
    const look = lookAt(path);
    if (isSameLook(look, this.#files.get(path)?.look) && (look === undefined || this.#copied.has(path))) return;
    this.#forget(path);
    const isCopied = look !== undefined && this.#reserve(path, look);
    const copied = isCopied ? await stateOf(path, {most: MOST_EACH, store: this.#store}) : undefined;
    this.#files.set(path, {look, state: look === undefined ? {kind: 'absent'} : (copied ?? unkept(look.size))});
  }

  /** The state of a file after a command; it is the known state from now on. */
  async renew(path: string, most: number): Promise<FileState> {
    const look = lookAt(path);
    this.#forget(path);
    const isCopied = look !== undefined && this.#reserve(path, look);
    const state = await stateOf(path, {most, ...(isCopied ? {store: this.#store} : {})});
    this.#files.set(path, {look, state: look === undefined || isCopied ? state : unkept(look.size)});
    return state;
  }

  /** Copies files that were only recorded, newest first, until the time is up. */
  async copyNoted(deadline: number): Promise<void> {
    const due = [...this.#files].filter(
      ([path, {look}]) => look !== undefined && look.size <= MOST_EACH && !this.#copied.has(path),
    );
    due.sort(([, a], [, b]) => (b.look?.mtimeMs ?? 0) - (a.look?.mtimeMs ?? 0));
    for (let at = 0; at < due.length && this.#bytes < MOST_KEPT && performance.now() < deadline; at += AT_ONCE) {
      await Promise.all(due.slice(at, at + AT_ONCE).map(([path]) => this.keep(path)));
    }
  }

  #reserve(path: string, {size}: Look): boolean {
    if (size > MOST_EACH || this.#bytes + size > MOST_KEPT) return false;
    this.#bytes += size;
    this.#copied.add(path);
    return true;
  }

  #forget(path: string): void {
    if (this.#copied.delete(path)) this.#bytes -= this.#files.get(path)?.look?.size ?? 0;
    this.#files.delete(path);
  }
}
