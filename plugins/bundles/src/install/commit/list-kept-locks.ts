import type {Installer} from '../source/installer.js';
import {listHistory, readHistory} from './lock-history.js';

/** A state that you can roll back to. */
export interface KeptLock {
  readonly serial: number;
  readonly plugins: readonly {readonly name: string; readonly version: string}[];
}

/** The kept states, latest first. */
export async function listKeptLocks({lock, schemas}: Installer): Promise<readonly KeptLock[]> {
  const kept: KeptLock[] = [];
  for (const serial of await listHistory(lock)) {
    const plugins = Object.entries((await readHistory(lock, serial, schemas.lock))?.plugins ?? {});
    kept.push({serial, plugins: plugins.map(([name, {version}]) => ({name, version}))});
  }
  return kept;
}
