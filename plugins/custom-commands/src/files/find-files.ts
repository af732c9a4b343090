import {readdirSync, realpathSync, statSync, type Dirent, type Stats} from 'node:fs';
import {join} from 'node:path';
import {messageOf} from '@gemini-kernel/kernel';
import type {CommandFault} from '../contract.js';

const MOST_BYTES = 1 << 20;
const MOST_ENTRIES = 20_000;
const MOST_FOLDERS_DEEP = 16;

/** A file below a folder of commands. */
export interface FoundFile {
  readonly file: string;
  /** Its folders and its name, below the searched folder. */
  readonly path: readonly string[];
  /** Changes with the content of the file. */
  readonly stamp: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly faults: readonly CommandFault[];
}

/**
 * Finds the files with an ending below a folder, sorted by name. Links are followed, but not back into a folder that
 * leads there. Names that begin with a dot are left out. A folder that does not exist has no files.
 */
export function findFiles(folder: string, ending: string): FoundFiles {
  const search = new FileSearch(ending);
  search.walk(folder, [], new Set());
  return search;
}

class FileSearch implements FoundFiles {
  readonly files: FoundFile[] = [];
  readonly faults: CommandFault[] = [];
  #entries = 0;

  constructor(private readonly ending: string) {}

  walk(folder: string, path: readonly string[], above: ReadonlySet<string>): void {
    const entries = this.#read(folder, path.length > 0);
    if (entries.length === 0) return;
    const real = realpathSync(folder);
    if (above.has(real)) return this.#skip(folder, 'it is a link to a folder that contains it');
    if (path.length > MOST_FOLDERS_DEEP) return this.#skip(folder, `it is more than ${MOST_FOLDERS_DEEP} folders deep`);
    const inside = new Set([...above, real]);
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      this.#entries += 1;
      if (this.#entries === MOST_ENTRIES + 1)
        this.#skip(folder, `there are more than ${MOST_ENTRIES} entries in the folders of commands`);
      if (this.#entries > MOST_ENTRIES) return;
      this.#meet(join(folder, entry.name), [...path, entry.name], {entry, inside});
    }
  }

  #meet(
    file: string,
    path: readonly string[],
    {entry, inside}: {readonly entry: Dirent; readonly inside: ReadonlySet<string>},
  ): void {
    const isWanted = entry.name.endsWith(this.ending);
    if (entry.isDirectory()) return this.walk(file, path, inside);
    if (!isWanted && !entry.isSymbolicLink()) return;
    const found = this.#stat(file);
    if (found?.isDirectory()) this.walk(file, path, inside);
    else if (isWanted) this.#take(file, path, found);
  }

  #take(file: string, path: readonly string[], found: Stats | undefined): void {
    if (!found) return this.#skip(file, 'it is a link that leads nowhere, or cannot be reached');
    if (!found.isFile()) return this.#skip(file, 'it is a FIFO, a socket or a device');
    if (found.size > MOST_BYTES) return this.#skip(file, 'it is larger than 1 MiB');
    const {mtimeMs, ctimeMs, size, ino} = found;
    this.files.push({file, path, stamp: `${mtimeMs}:${ctimeMs}:${size}:${ino}`});
  }

  #read(folder: string, isReported: boolean): readonly Dirent[] {
    try {
      const entries = readdirSync(folder, {withFileTypes: true});
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (isReported || !isMissing) this.#skip(folder, messageOf(error));
      return [];
    }
  }

  #stat(file: string): Stats | undefined {
    try {
      return statSync(file, {throwIfNoEntry: false});
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      return undefined;
    }
  }

  #skip(file: string, why: string): void {
    this.faults.push({file, kind: 'skipped', reason: `${file} was skipped: ${why.replace(/\.$/, '')}.`});
  }
}
