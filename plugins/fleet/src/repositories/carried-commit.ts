import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import {HASH, type Mirrors} from './mirrors.js';

/** What makes a commit of another machine again: the same bytes have the same number. */
export interface CarriedCommit {
  readonly repository: string;
  readonly base: string;
  readonly commit: string;
  readonly patch: string;
  /** The commit as git keeps it: tree, parent, people, times and message. */
  readonly object: string;
}

/**
 * Makes a commit of another machine in a repository that is there while `act` runs. Its number proves that it is the
 * same. Throws KernelError REPOSITORY_FAILED when it is another one.
 */
export async function withCommit<T>(
  {git, mirrors}: {readonly git: Git; readonly mirrors: Mirrors},
  {repository, base, commit, patch, object}: CarriedCommit,
  act: (folder: string) => Promise<T>,
): Promise<T> {
  // Both come from the queue, and one is a part of a path.
  const wrong = [base, commit].find((one) => !HASH.test(one));
  if (wrong !== undefined)
    throw new KernelError('REPOSITORY_FAILED', `${JSON.stringify(wrong)} is no number of a commit.`);
  const mirror = await mirrors.fetch(repository, base);
  const folder = `${mirror}.${commit}`;
  try {
    await rm(folder, {recursive: true, force: true});
    await mkdir(folder, {mode: 0o700});
    await git.run(folder, 'init', '--quiet', '--bare', `--object-format=${commit.length === 40 ? 'sha1' : 'sha256'}`);
    await writeFile(join(folder, 'objects', 'info', 'alternates'), `${join(mirror, 'objects')}\n`);
    await writeFile(join(folder, 'patch'), patch);
    await writeFile(join(folder, 'commit'), object);
    await git.run(folder, 'read-tree', base);
    await git.run(folder, 'apply', '--cached', '--whitespace=nowarn', '--', 'patch');
    await git.run(folder, 'write-tree');
    const made = (await git.run(folder, 'hash-object', '-t', 'commit', '-w', '--', 'commit')).trim();
    // All that a commit leads to is here: a push would find out later what is missing.
    await git.run(folder, 'rev-list', '--objects', '--quiet', made, `^${base}`);
    if (made === commit) return await act(folder);
    throw new KernelError('REPOSITORY_FAILED', `The patch of ${commit} gives another commit, ${made}.`);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
