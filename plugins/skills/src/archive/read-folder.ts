import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import type {SourceFile, SourceLimits} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import {MOST_BYTES, skillLimits} from './skill-limits.js';

const LEFT_OUT = new Set(['.git', '.DS_Store', '__pycache__']);

/** The files of a folder. Throws KernelError SKILL_INVALID, naming the entry, for links, pipes and the like. */
export async function readFolder(folder: string): Promise<readonly SourceFile[]> {
  const limits = skillLimits(folder);
  const files: SourceFile[] = [];
  const visit = async (prefix: string): Promise<void> => {
    const entries = await readdir(join(folder, prefix), {withFileTypes: true}).catch((cause: NodeJS.ErrnoException) => {
      throw new KernelError('SKILL_INVALID', `Cannot list ${join(folder, prefix)}: ${cause.message}.`, {cause});
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push(await readOne(join(folder, path), path, limits));
      else throw limits.refuse(path, entry.isSymbolicLink() ? 'is a link' : 'is not a file');
    }
  };
  await visit('');
  return files;
}

async function readOne(file: string, path: string, limits: SourceLimits): Promise<SourceFile> {
  const {size, mode} = await stat(file);
  limits.check({path, size});
  const bytes = await readRegular(file, {limit: MOST_BYTES}).catch((error: unknown) => {
    if (isFileFault(error)) throw limits.refuse(path, `cannot be read: ${error.reason}`);
    throw error;
  });
  return {path, bytes, isExecutable: (mode & 0o111) !== 0};
}
