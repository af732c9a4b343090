import {createHash} from 'node:crypto';
import {cp, lstat, mkdir, readdir, readlink, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import type {Worktree} from '../contract.js';

/** Holds the worktrees; it is not carried into one. */
const WORKTREES = 'worktrees';

/** Puts what governs a folder, its `.gemini`, into a worktree as it is now, in place of what was committed. */
export async function carryOver(from: string, to: string): Promise<void> {
  await rm(to, {recursive: true, force: true});
  for (const name of await namesIn(from)) {
    if (name === WORKTREES) continue;
    await mkdir(to, {recursive: true});
    await cp(join(from, name), join(to, name), {
      recursive: true,
      preserveTimestamps: true,
      // Sockets and pipes govern nothing.
      filter: async (path) => isKept(await lstat(path)),
    });
  }
}

/** Tells two states of a folder apart. Undefined where there is nothing. */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await namesIn(folder)) if (name !== WORKTREES) await add(hash, join(folder, name), name);
  return hash.digest('hex');
}

async function add(hash: ReturnType<typeof createHash>, path: string, name: string): Promise<void> {
  const found = await lstat(path);
  if (!isKept(found)) return;
  hash.update(`${name}\0${found.isFile() ? found.size : ''}\0`);
  if (found.isFile()) hash.update(await readRegular(path));
  else if (found.isSymbolicLink()) hash.update(`-> ${await readlink(path)}\0`);
  else for (const one of await namesIn(path)) await add(hash, join(path, one), `${name}/${one}`);
}

function isKept(found: Awaited<ReturnType<typeof lstat>>): boolean {
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Leaves out for git what was carried over: it is no part of the work. */
export function exclude({path, folder}: Worktree): string {
  const inside = folder
    .slice(path.length + 1)
    .replaceAll('\\', '/')
    .replace(/\/$/, '');
  return `:(exclude,top)${inside === '' ? '' : `${inside}/`}.gemini`;
}
