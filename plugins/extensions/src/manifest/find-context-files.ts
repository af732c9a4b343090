import {realpathSync, statSync} from 'node:fs';
import {resolve, sep} from 'node:path';
import type {Manifest} from './read-manifest.js';

/**
 * The context files that are there, by real path, and those that the manifest names and that do not count. A start
 * waits for it, so it does not go through the thread pool.
 */
export function findContextFiles(
  folder: string,
  {contextFiles, namesContext}: Pick<Manifest, 'contextFiles' | 'namesContext'>,
): {readonly files: readonly string[]; readonly faults: readonly string[]} {
  const files: string[] = [];
  const faults: string[] = [];
  for (const name of contextFiles) {
    const found = findInside(folder, name);
    if (found.file !== undefined) files.push(found.file);
    else if (namesContext) faults.push(`The context file "${name}" ${found.fault}.`);
  }
  return {files, faults};
}

function findInside(folder: string, name: string): {readonly file?: string; readonly fault?: string} {
  const path = resolve(folder, name);
  try {
    const [real, root] = [realpathSync.native(path), realpathSync.native(folder)];
    if (!real.startsWith(`${root}${sep}`)) return {fault: 'is outside the extension'};
    return statSync(real).isFile() ? {file: real} : {fault: 'is not a regular file'};
  } catch {
    return {fault: 'does not exist'};
  }
}
