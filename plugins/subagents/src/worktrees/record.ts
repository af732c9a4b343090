import {mkdir, realpath, writeFile} from 'node:fs/promises';
import {dirname, join, resolve, sep} from 'node:path';
import {isFileFault, readText} from '@gemini-kernel/files';
import type {Git} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import type {Worktree} from '../contract.js';
import {carryOver, digestOf} from './carried.js';

/** What git keeps of a worktree, besides its own files, in its folder of the repository. */
export interface TreeRecord {
  readonly base: string;
  /** Where in the repository the person works; ends with `/` unless empty. */
  readonly prefix: string;
  /** Of `.gemini` as it was carried over. */
  readonly carried: string;
}

/** The repository that a place is in. */
export interface Repository {
  readonly git: Git;
  /** The folder that the person works in. */
  readonly base: string;
}

const RECORD = 'gemini.json';

/** Keeps a record of a new worktree, and gives the folder in which git has it. */
export async function writeRecord(repository: Repository, path: string, record: TreeRecord): Promise<string> {
  const own = await ownFolder(repository, path);
  await writeFile(join(own, RECORD), JSON.stringify(record));
  return own;
}

/** What is kept of a worktree; undefined for one that gemini did not make. Throws KernelError WORKTREE_FAILED. */
export async function readRecord(repository: Repository, path: string): Promise<TreeRecord | undefined> {
  try {
    return JSON.parse(await readText(join(await ownFolder(repository, path), RECORD))) as TreeRecord;
  } catch (error) {
    if (error instanceof SyntaxError || isFileFault(error) || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

/**
 * A worktree of this folder; undefined for one whose branch is not named after it. One without a record was made by
 * Gemini CLI, or by a program that was killed meanwhile.
 */
export async function readTree(repository: Repository, path: string): Promise<Worktree | undefined> {
  const {git, base: top} = repository;
  const name = path.slice(path.lastIndexOf(sep) + 1);
  const branch = `worktree-${name}`;
  const isOurs = await ownFolder(repository, path).then(
    () => true,
    () => false,
  );
  if (!isOurs) return undefined;
  const record = await readRecord(repository, path);
  const base = record?.base ?? (await git.ask(top, 'merge-base', 'HEAD', `refs/heads/${branch}`))?.trim();
  if (base === undefined) return undefined;
  const prefix = record?.prefix ?? (await git.run(top, 'rev-parse', '--show-prefix')).trim();
  return {name, path, folder: join(path, prefix), branch, base, isBehind: false};
}

/**
 * The folder in which the repository keeps a worktree. A file `.git` that leads elsewhere is not followed: what is
 * there could have git run programs. Throws KernelError WORKTREE_FAILED.
 */
export async function ownFolder({git, base}: Repository, path: string): Promise<string> {
  const common = await git.run(base, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  const pointer = /^gitdir: (.+)\n?$/.exec(await readText(join(path, '.git'), {limit: 4096}).catch(() => ''))?.[1];
  const own = pointer && (await realpath(resolve(path, pointer)).catch(() => undefined));
  if (own && dirname(own) === join(await realpath(common.trim()), 'worktrees')) return own;
  const sentence = `${path} is no longer a worktree of its repository: its .git was changed.`;
  throw new KernelError('WORKTREE_FAILED', sentence, {
    hint: 'Look at its files, and commit yourself what you want of them.',
  });
}

/** Of the worktrees below this folder, as git knows them. */
export async function pathsBelow({git, base}: Repository): Promise<readonly string[]> {
  if ((await git.ask(base, 'rev-parse', '--git-dir')) === undefined) return [];
  const text = await git.run(base, 'worktree', 'list', '--porcelain', '-z');
  const paths = text.split('\0').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
  return paths.filter((one) => one.startsWith(join(base, '.gemini', 'worktrees') + sep));
}

/** The folder in which worktrees are. It ignores itself, so that no commit and no search takes them in. */
export async function prepareFolder(base: string): Promise<string> {
  const folder = join(base, '.gemini', 'worktrees');
  await mkdir(folder, {recursive: true});
  if ((await realpath(folder)) !== folder)
    throw new KernelError('WORKTREE_FAILED', `${folder} is a link, so worktrees would be elsewhere.`);
  await writeFile(join(folder, '.gitignore'), '*\n');
  return folder;
}

/** What governs the folder may have changed since; what was changed in the worktree stays. */
export async function carryAgain(repository: Repository, {path, folder}: Worktree): Promise<void> {
  const record = await readRecord(repository, path);
  const own = join(folder, '.gemini');
  if (!record || (await digestOf(own)) !== record.carried) return;
  await carryOver(join(repository.base, '.gemini'), own);
  await writeRecord(repository, path, {...record, carried: await digestOf(own)});
}
