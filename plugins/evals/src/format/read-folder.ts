import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import type {ProjectFile} from './eval.js';

const MOST_FILES = 5000;
const MOST_BYTES = 64 * 2 ** 20;
const LEFT_OUT = new Set(['.git', '.DS_Store']);

/**
 * The files below a folder, by path. `fail` makes the error for what is not a file or is too much; its sentence begins
 * with the path.
 */
export async function readFolder(folder: string, fail: (what: string) => Error): Promise<readonly ProjectFile[]> {
  const files: ProjectFile[] = [];
  let left = MOST_BYTES;
  const visit = async (prefix: string): Promise<void> => {
    const entries = await readdir(join(folder, prefix), {withFileTypes: true}).catch((cause: unknown) => {
      throw fail(`${prefix === '' ? folder : prefix} cannot be listed: ${(cause as Error).message}.`);
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) {
        if (files.length >= MOST_FILES) throw fail(`${folder} has more than ${MOST_FILES} files.`);
        const file = await readOne(join(folder, path), {path, left, fail});
        left -= file.bytes.length;
        files.push(file);
      } else throw fail(`${path} is ${entry.isSymbolicLink() ? 'a link' : 'not a file'}.`);
    }
  };
  await visit('');
  return files;
}

async function readOne(
  file: string,
  {path, left, fail}: {readonly path: string; readonly left: number; readonly fail: (what: string) => Error},
): Promise<ProjectFile> {
  const {mode, size} = await stat(file);
  if (size > left) throw fail(`${path} is one too many: all files together have more than ${MOST_BYTES} bytes.`);
  const bytes = await readRegular(file, {limit: MOST_BYTES}).catch((error: unknown) => {
    if (isFileFault(error)) throw fail(`${path} cannot be read: ${error.reason}`);
    throw error;
  });
  return {path, bytes, isExecutable: (mode & 0o111) !== 0};
}
