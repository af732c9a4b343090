import {readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {IgnoreWalk} from '@gemini-kernel/plugin-workspace/contract';
import {systemCode} from '../system-code.js';
import type {TreeWatch} from './tree-watch.js';

export interface FolderWalk {
  /** Without it, folders are only listed. */
  readonly watch?: TreeWatch;
  readonly ignores: IgnoreWalk;
  readonly signal: AbortSignal;
  /** The root of a work tree; nested repositories are skipped. */
  readonly repository: string | undefined;
  /** Called for each file that is not ignored. */
  readonly onFile?: (path: string) => void;
}

/** How often to yield to other work. */
const SLICE_MS = 8;

/**
 * Watches a folder and all below it that no rule ignores. A folder is watched before it is listed, so that no change
 * is missed.
 */
export async function walkFolders(start: string, walk: FolderWalk): Promise<void> {
  const {watch, ignores, signal, repository, onFile} = walk;
  const folders = [start];
  let since = performance.now();
  for (let folder = folders.pop(); folder !== undefined && watch?.isLost !== true; folder = folders.pop()) {
    watch?.add(folder);
    const all = entriesOf(folder);
    if (isRepositoryWithin(repository, folder, all)) {
      watch?.remove(folder);
      continue;
    }
    for (const {name, isDirectory} of await withoutIgnored(folder, namesToAsk(all, onFile !== undefined), ignores)) {
      if (isDirectory) folders.push(join(folder, name));
      else onFile?.(join(folder, name));
    }
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  }
}

function isRepositoryWithin(repository: string | undefined, folder: string, entries: readonly Dirent[]): boolean {
  return repository !== undefined && folder !== repository && entries.some(({name}) => name === '.git');
}

interface AskedName {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** The paths to check against the rules. Ignore files must be included. */
function namesToAsk(entries: readonly Dirent[], wantsFiles: boolean): readonly AskedName[] {
  return entries
    .filter((entry) => entry.name !== '.git' && (wantsFiles || entry.isDirectory() || entry.name.startsWith('.')))
    .map((entry) => ({name: entry.name, isDirectory: entry.isDirectory()}));
}

async function withoutIgnored(
  folder: string,
  names: readonly AskedName[],
  ignores: IgnoreWalk,
): Promise<readonly AskedName[]> {
  if (names.length === 0) return names;
  const ignored = await ignores.entries(folder, names);
  return names.filter((_, index) => ignored[index] === false);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
