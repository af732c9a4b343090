import {existsSync, readdirSync, watch, type FSWatcher} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import {passOver} from '../system-faults.js';

const SOURCES = 'src';
/** The files of a plugin's folder that matter for a build. */
const WATCHED: ReadonlySet<string> = new Set([SOURCES, 'package.json', 'tsconfig.json']);

export interface SourceWatch {
  /** Watches the current files, and stops watching removed ones. */
  renew(): void;
  close(): void;
}

interface Parts {
  readonly root: string;
  readonly platform: Environment['platform'];
  onChange(): void;
}

/** Reports changes of the sources of a plugin. Throws the error of the system when its folder cannot be watched. */
export function watchSources({root, platform, onChange}: Parts): SourceWatch {
  // Elsewhere Node watches each file separately, and loses one that an editor replaces.
  const isDeep = platform === 'darwin' || platform === 'win32';
  let watchers: readonly FSWatcher[] = [];
  const open = (folder: string): FSWatcher => {
    const watcher = watch(folder, {recursive: isDeep && folder !== root}, (_, name) => {
      if (folder !== root || name === null || WATCHED.has(name) || !existsSync(root)) onChange();
    });
    // Some systems report a removed folder in this way.
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
      // Start the new watchers first, so that no change is missed.
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
