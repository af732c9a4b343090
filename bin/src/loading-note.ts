import {readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makePrivateFolderSync, readTextSync} from '@gemini-kernel/files';

/** Notes which installed plugin is being loaded, so that a load that never came back has a name. */
export interface LoadingNotes {
  /**
   * Runs `load` of a plugin's file. Says so when the program ends meanwhile; a note for the next start stays when it is
   * killed.
   */
  during<T>(plugin: string, load: () => Promise<T>): Promise<T>;
  /** The plugins that were being loaded when an earlier process died. Each is given once. */
  takeLost(): readonly string[];
}

/** Keeps notes in a folder. `tell` gets the name of a plugin that ends the program while it is being loaded. */
export function createLoadingNotes(folder: string, tell: (plugin: string) => void): LoadingNotes {
  const own = join(folder, String(process.pid));
  const running: string[] = [];
  const note = (): void => {
    try {
      if (running.length === 0) return rmSync(own, {force: true});
      makePrivateFolderSync(folder);
      writeFileSync(`${own}.new`, [...new Set(running)].join('\n'), {mode: 0o600});
      renameSync(`${own}.new`, own);
    } catch (error) {
      // Without a place for notes, a load that never comes back stays without a name.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  };
  process.prependOnceListener('exit', () => {
    for (const plugin of new Set(running)) tell(plugin);
    if (running.splice(0).length > 0) note();
  });
  return {
    async during(plugin, load) {
      running.push(plugin);
      note();
      try {
        return await load();
      } finally {
        running.splice(running.indexOf(plugin), 1);
        note();
      }
    },
    takeLost: () => [...new Set(namesIn(folder).flatMap((name) => takeNote(join(folder, name), Number(name))))],
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function takeNote(file: string, pid: number): readonly string[] {
  if (isAlive(pid)) return [];
  try {
    const plugins = readTextSync(file)
      .split('\n')
      .filter((name) => name !== '');
    rmSync(file, {force: true});
    return plugins;
  } catch (error) {
    // Another start has just taken it.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
