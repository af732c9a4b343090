import {open, rm, stat, writeFile, type FileHandle} from 'node:fs/promises';
import {join, relative, resolve} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {writerMark} from '@gemini-kernel/files/writing';
import {
  isInRepository,
  parseEntries,
  parsePaths,
  readBlobs,
  runGit,
  type GitRun,
  type IndexEntry,
  type Variables,
} from '../git-index.js';
import {passOver} from '../system-code.js';

/** Far longer than git takes for a million files; nothing waits for it. */
const MOST_MS = 20_000;
/** Number of paths in one command line. */
const MOST_WORDS = 100_000;

export interface GitPlace {
  readonly variables: Variables;
  /** A private folder for files that git reads. */
  readonly scratch: string;
}

/**
 * What git held below a root when this was opened. Git replaces its index and never changes one in place, so the open
 * file remains the index of that moment, whatever commands do to the repository.
 */
export class GitFiles {
  readonly #root: string;
  readonly #run: GitRun;
  readonly #scratch: string;
  readonly #index: {readonly path: string; readonly handle: FileHandle | undefined};

  private constructor(
    root: string,
    {variables, scratch}: GitPlace,
    index: {readonly path: string; readonly handle: FileHandle | undefined},
  ) {
    this.#root = root;
    this.#run = {variables, timeoutMs: MOST_MS};
    this.#scratch = scratch;
    this.#index = index;
  }

  /** Undefined outside a work tree. */
  static async open(root: string, place: GitPlace): Promise<GitFiles | undefined> {
    if (!isInRepository(root)) return undefined;
    const said = await runGit(root, ['rev-parse', '--is-inside-work-tree', '--git-path', 'index'], {
      variables: place.variables,
      timeoutMs: MOST_MS,
    });
    const [isInside, index] = said?.split('\n') ?? [];
    if (isInside !== 'true' || index === undefined || index === '') return undefined;
    const path = resolve(root, index);
    const handle = await open(path, 'r').catch((error: unknown) => passOver(error, 'ENOENT'));
    return new GitFiles(root, place, {path, handle});
  }

  /** Files that are not in the index, or differ from it. Undefined when git does not report it. */
  async loose(): Promise<readonly string[] | undefined> {
    const [changed, others] = await Promise.all([
      this.#list(['--modified']),
      this.#list(['--others', '--exclude-standard']),
    ]);
    return changed && others && [...new Set([...changed, ...others])];
  }

  /** Files in the index that rules ignore nevertheless. */
  async heldIgnored(): Promise<readonly string[]> {
    return (await this.#list(['--cached', '--ignored', '--exclude-standard'])) ?? [];
  }

  /** The paths that git does not hold now and that no rule ignores. */
  async untracked(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      this.#inParts(paths).map((part) => this.#list(['--others', '--exclude-standard'], part)),
    );
    return new Set(found.flatMap((one) => one ?? []));
  }

  /** What the index held at and below these paths. Undefined when git does not report it. */
  async held(paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
    if (!this.#index.handle) return new Map();
    return this.#withIndex(async (run) => {
      const entries: [string, IndexEntry][] = [];
      for (const part of this.#inParts(paths)) {
        const text = await runGit(
          this.#root,
          ['--literal-pathspecs', 'ls-files', '-z', '--stage', '--debug', '--', ...part],
          run,
        );
        if (text === undefined) return undefined;
        entries.push(...parseEntries(this.#root, text));
      }
      return new Map(entries);
    });
  }

  /** Files that the current index has changed. */
  async replaced(): Promise<readonly string[] | undefined> {
    if (await this.isCurrent()) return [];
    const words = ['ls-files', '-z', '--stage'];
    const [before, now] = await Promise.all([
      this.#index.handle ? this.#withIndex((run) => runGit(this.#root, words, run)) : Promise.resolve(''),
      runGit(this.#root, words, this.#run),
    ]);
    if (before === undefined || now === undefined) return undefined;
    const [old, fresh] = [new Set(before.split('\0')), new Set(now.split('\0'))];
    const lines = [...[...old].filter((line) => !fresh.has(line)), ...[...fresh].filter((line) => !old.has(line))];
    return [
      ...new Set(
        lines.filter((line) => line !== '').map((line) => join(this.#root, line.slice(line.indexOf('\t') + 1))),
      ),
    ];
  }

  /** Contents by their ids. */
  contents(oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    return readBlobs(this.#root, oids, this.#run);
  }

  /** Whether git still has that index. */
  async isCurrent(): Promise<boolean> {
    const {path, handle} = this.#index;
    const [opened, now] = await Promise.all([
      handle?.stat(),
      stat(path).catch((error: unknown) => passOver(error, 'ENOENT')),
    ]);
    return opened?.ino === now?.ino && opened?.mtimeMs === now?.mtimeMs && opened?.size === now?.size;
  }

  async close(): Promise<void> {
    await this.#index.handle?.close();
  }

  async #list(words: readonly string[], paths: readonly string[] = []): Promise<readonly string[] | undefined> {
    const text = await runGit(
      this.#root,
      ['--literal-pathspecs', 'ls-files', '-z', ...words, '--', ...paths],
      this.#run,
    );
    return text === undefined ? undefined : parsePaths(this.#root, text);
  }

  #inParts(paths: readonly string[]): readonly (readonly string[])[] {
    const parts: string[][] = [];
    let size = Infinity;
    for (const path of paths.map((one) => relative(this.#root, one) || '.')) {
      size += path.length + 8;
      if (size > MOST_WORDS) {
        parts.push([]);
        size = 0;
      }
      parts.at(-1)?.push(path);
    }
    return parts;
  }

  /** Makes git read the index of that moment. */
  async #withIndex<T>(act: (run: GitRun) => Promise<T>): Promise<T> {
    const {handle} = this.#index;
    if (!handle || (await this.isCurrent())) return act(this.#run);
    const {size} = await handle.stat();
    const bytes = Buffer.allocUnsafe(size);
    const {bytesRead} = await handle.read(bytes, 0, size, 0);
    await makePrivateFolder(this.#scratch);
    const copy = join(this.#scratch, `index.${writerMark()}.tmp`);
    try {
      await writeFile(copy, bytes.subarray(0, bytesRead), {flag: 'wx', mode: 0o600});
      return await act({...this.#run, variables: {...this.#run.variables, GIT_INDEX_FILE: copy}});
    } finally {
      await rm(copy, {force: true});
    }
  }
}
