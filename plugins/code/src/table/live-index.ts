import {setImmediate} from 'node:timers/promises';
import {isIndexed} from '../languages/languages.js';
import {Readers} from '../parse/parsers.js';
import {stampAt} from '../parse/source-file.js';
import type {CodeIndex} from '../contract.js';
import type {FileList, Updated} from './code-index.js';
import {type FileTable} from './file-table.js';
import {readKept, writeKept} from './kept-table.js';
import {parseFile, type ParsedFile} from './parsed-file.js';
import {parseWithThreads} from './parse-pool.js';

/** From so many files on, threads parse them. */
const MANY_FILES = 48;
/** More are not indexed. */
export const MOST_FILES = 50_000;
/** So long a list of files counts as the one of now, unless something is known to have changed. */
const FRESH_MS = 2000;
/** Others get their turn this often. */
const TURN_MS = 10;

interface IndexParts {
  /** Where it is kept. */
  readonly file: string;
  readonly now: () => number;
}

/** The symbols of the files of a place, shared by its sessions, kept between runs. Updates run one after the other. */
export class LiveIndex implements CodeIndex {
  readonly readers = new Readers();
  #table: FileTable | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #listed: {readonly key: string; readonly at: number} | undefined;
  readonly #touched = new Set<string>();
  #isUnsaved = false;

  constructor(private readonly parts: IndexParts) {}

  get file(): string {
    return this.parts.file;
  }

  /** Says that a file was written, or without a path that anything may have changed. */
  touched(path?: string): void {
    if (path === undefined) this.#listed = undefined;
    else if (isIndexed(path)) this.#touched.add(path);
  }

  /**
   * The table of exactly these files, as they are now. `list` is asked for the files unless it was within the last
   * seconds and nothing but known files changed since.
   */
  async update(list: FileList, signal: AbortSignal): Promise<Updated> {
    const run = this.#turn.then(() => this.#update(list, signal));
    this.#turn = run.catch(() => undefined);
    return run;
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    await this.#turn;
    if (this.#isUnsaved) await this.#save();
  }

  async #update(list: FileList, signal: AbortSignal): Promise<Updated> {
    const started = this.parts.now();
    signal.throwIfAborted();
    this.#table ??= await readKept(this.file);
    const table = this.#table;
    const isFresh = this.#listed?.key === list.key && started - this.#listed.at < FRESH_MS;
    const changed = isFresh ? this.#touchedFiles(table) : await this.#compare(table, await list.read(signal), signal);
    if (!isFresh) this.#listed = {key: list.key, at: started};
    await this.#parse(table, changed, signal);
    return {table, parsed: changed.length, ms: this.parts.now() - started};
  }

  /** Of the files that were written, those of this list. */
  #touchedFiles(table: FileTable): readonly string[] {
    const paths = [...this.#touched].filter((path) => stampAt(path) !== table.files.get(path)?.stamp);
    this.#touched.clear();
    const gone = paths.filter((path) => stampAt(path) === undefined);
    for (const path of gone) this.#isUnsaved = table.files.delete(path) || this.#isUnsaved;
    return paths.filter((path) => !gone.includes(path));
  }

  async #compare(table: FileTable, listed: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    this.#touched.clear();
    const changed: string[] = [];
    const there = new Set<string>();
    let turn = this.parts.now();
    for (const path of listed) {
      if (there.size >= MOST_FILES) break;
      const stamp = stampAt(path);
      if (stamp === undefined) continue;
      there.add(path);
      if (table.files.get(path)?.stamp !== stamp) changed.push(path);
      if (this.parts.now() - turn < TURN_MS) continue;
      await setImmediate();
      signal.throwIfAborted();
      turn = this.parts.now();
    }
    for (const path of [...table.files.keys()])
      if (!there.has(path)) this.#isUnsaved = table.files.delete(path) || this.#isUnsaved;
    return changed;
  }

  async #parse(table: FileTable, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const take = (files: readonly ParsedFile[]): void => {
      for (const file of files) if (file.stamp !== '') table.put(file);
      this.#isUnsaved = true;
    };
    if (paths.length >= MANY_FILES) await parseWithThreads(paths, {names: table.names, take, signal});
    else
      for (const path of paths) {
        take([await parseFile(path, this.readers, table.names)]);
        await setImmediate();
        signal.throwIfAborted();
      }
    if (paths.length >= MANY_FILES) await this.#save();
  }

  /** An index that cannot be kept is made again the next time. */
  async #save(): Promise<void> {
    if (!this.#table) return;
    this.#isUnsaved = false;
    try {
      await writeKept(this.file, this.#table);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
}
