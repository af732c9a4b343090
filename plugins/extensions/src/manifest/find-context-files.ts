import {realpath, stat} from 'node:fs/promises';
import {resolve, sep} from 'node:path';
import type {Manifest} from './read-manifest.js';

/** The context files that are there, by real path, and those that the manifest names and that do not count. */
export async function findContextFiles(
  folder: string,
  {contextFiles, namesContext}: Pick<Manifest, 'contextFiles' | 'namesContext'>,
): Promise<{readonly files: readonly string[]; readonly faults: readonly string[]}> {
  const files: string[] = [];
  const faults: string[] = [];
  for (const name of contextFiles) {
    const found = await findInside(folder, name);
    if (found.file !== undefined) files.push(found.file);
    else if (namesContext) faults.push(`The context file "${name}" ${found.fault}.`);
  }
  return {files, faults};
}

async function findInside(folder: string, name: string): Promise<{readonly file?: string; readonly fault?: string}> {
  const path = resolve(folder, name);
  try {
    const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
    if (!real.startsWith(`${root}${sep}`)) return {fault: 'is outside the extension'};
    return (await stat(real)).isFile() ? {file: real} : {fault: 'is not a regular file'};
  } catch {
    return {fault: 'does not exist'};
  }
}
