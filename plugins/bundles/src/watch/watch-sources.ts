import {existsSync, readdirSync, watch, type FSWatcher} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import {passOver} from '../system-faults.js';

const SOURCES = 'src';
/** What stands in the folder of a plugin and makes it another when it changes. */
const WATCHED: ReadonlySet<string> = new Set([SOURCES, 'package.json', 'tsconfig.json']);

export interface SourceWatch {
  /** Watches what is there now, and lets go of what is not. */
  renew(): void;
  close(): void;
}

interface Parts {
  readonly root: string;
  readonly platform: Environment['platform'];
  onChange(): void;
}

/** Notices changes of the sources of a plugin. Throws the error of the system when its folder cannot be watched. */
export function watchSources({root, platform, onChange}: Parts): SourceWatch {
  // Elsewhere Node watches each file by itself, and loses one that an editor puts in the place of another.
  const isDeep = platform === 'darwin' || platform === 'win32';
  let watchers: readonly FSWatcher[] = [];
  const open = (folder: string): FSWatcher => {
    const watcher = watch(folder, {recursive: isDeep && folder !== root}, (_, name) => {
      if (folder !== root || name === null || WATCHED.has(name) || !existsSync(root)) onChange();
    });
    // Some systems say in this way that the folder is gone.
    return watcher.on('error', onChange);
  };
  const openSource = (folder: string): readonly FSWatcher[] => {
    try {
      return [open(folder)];
    } catch (error) {
      passOver(error, 'ENOENT', 'ENOTDIR');
      return [];
    }
  };
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
  };
  return {
    close,
    renew() {
      const source = join(root, SOURCES);
      const folders = isDeep ? [source] : [source, ...listFolders(source)];
      // The new ones come first, so that nothing happens unseen.
      const fresh = [open(root), ...folders.flatMap(openSource)];
      close();
      watchers = fresh;
    },
  };
}

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  } catch (error) {
    passOver(error, 'ENOENT', 'ENOTDIR');
    return [];
  }
}
