import {readBlobs} from './git-index.js';
import {
  collectChanges,
  MOST_CHANGED,
  MOST_COMPARED,
  MOST_EACH,
  MOST_KEPT,
  stateInGit,
  tooMany,
  unkept,
  type CommandChanges,
} from './command-changes.js';
import {stateOf, type FileState, type Snapshots} from './file-state.js';
import {isSameLook, scanFiles, type Look, type Scan, type ScanOptions} from './scan-files.js';

const AT_ONCE = 16;

/** Former contents of files, kept between commands so that each content is read once. */
export class CommandWatch {
  readonly #options: ScanOptions;
  readonly #store: Snapshots;
  readonly #kept = new Map<string, {readonly look: Look; readonly state: FileState}>();

  constructor(options: ScanOptions, store: Snapshots) {
    this.#options = options;
    this.#store = store;
  }

  /** Before a command: stat data of everything, and the content of files that are not in git. */
  async before(): Promise<Scan> {
    const scan = await scanFiles(this.#options);
    const deadline = performance.now() + this.#options.mostMs;
    const loose = [...scan.looks]
      .filter(([path]) => !scan.clean.has(path))
      .sort(([, a], [, b]) => b.mtimeMs - a.mtimeMs);
    let bytes = 0;
    const within = loose.filter(([, {size}]) => size <= MOST_EACH && (bytes += size) <= MOST_KEPT);
    const due = within.filter(([path, look]) => !isSameLook(this.#kept.get(path)?.look, look));
    for (let at = 0; at < due.length && performance.now() < deadline; at += AT_ONCE) {
      await Promise.all(
        due.slice(at, at + AT_ONCE).map(async ([path, look]) => {
          this.#kept.set(path, {look, state: await stateOf(path, {most: MOST_EACH, store: this.#store})});
        }),
      );
    }
    return scan;
  }

  /** After the command: the changed files with their former state. */
  async after(scan: Scan): Promise<CommandChanges> {
    const now = await scanFiles(this.#options);
    const gaps = [...new Set([scan.gap, now.gap])].filter((gap) => gap !== undefined);
    const paths = new Set([...scan.looks.keys(), ...now.looks.keys()]);
    // Where some files were not checked, a file that is missing from one list may only be beyond the limits.
    const isIn = (path: string): boolean => gaps.length === 0 || (scan.looks.has(path) && now.looks.has(path));
    const changed = [...paths].filter((path) => isIn(path) && !isSameLook(scan.looks.get(path), now.looks.get(path)));
    if (changed.length > MOST_CHANGED) gaps.push(tooMany(changed.length));
    const counted = changed.slice(0, MOST_CHANGED);
    const blobs = await this.#fetch(counted, scan);
    const pairs = await Promise.all(
      counted.map(async (path) => ({
        path,
        before: await this.#stateBefore(path, scan, blobs),
        after: await stateOf(path, {most: MOST_COMPARED}),
      })),
    );
    return collectChanges(pairs, gaps);
  }

  async #stateBefore(path: string, {looks, clean}: Scan, blobs: ReadonlyMap<string, Buffer>): Promise<FileState> {
    const look = looks.get(path);
    if (!look) return {kind: 'absent'};
    const entry = clean.get(path);
    if (entry) return stateInGit({...entry, size: look.size}, blobs.get(entry.oid), this.#store);
    const kept = this.#kept.get(path);
    if (kept && isSameLook(kept.look, look)) return kept.state;
    return unkept(look.size);
  }

  async #fetch(paths: readonly string[], {clean}: Scan): Promise<ReadonlyMap<string, Buffer>> {
    const byRoot = new Map<string, string[]>();
    for (const path of paths) {
      const entry = clean.get(path);
      if (entry) byRoot.set(entry.root, [...(byRoot.get(entry.root) ?? []), entry.oid]);
    }
    const {variables, mostMs} = this.#options;
    const found = await Promise.all(
      [...byRoot].map(([root, oids]) => readBlobs(root, oids, {variables, timeoutMs: mostMs})),
    );
    return new Map(found.flatMap((blobs) => [...blobs]));
  }
}
