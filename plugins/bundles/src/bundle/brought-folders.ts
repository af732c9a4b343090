import {lstat, realpath} from 'node:fs/promises';
import {basename, dirname, join, posix} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {digestOf, listTree, type TreeEntry} from '@gemini-kernel/admission';
import {claimName, findNameFault} from '@gemini-kernel/files/writing';
import type {BundleLock, LockedFile, LockedFolder} from './bundle-lock.js';
import type {Bundle} from './bundle.js';
import {digest} from './digest.js';

/** What a bundle brings as folders, each with the file that makes it one. */
const KINDS = {extensions: 'gemini-extension.json', skills: 'SKILL.md'} as const;
export type FolderKind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as FolderKind[];

const MOST_FILES = 5000;
const MOST_BYTES = 200 * 1024 * 1024;

/** A folder beside a bundle's file, as it is now. */
export interface WrittenFolder extends LockedFolder {
  readonly kind: FolderKind;
  readonly name: string;
  /** The content of its files, by their paths in the bundle. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** Reads the folders that a bundle names. Throws KernelError BUNDLE_UNREADABLE or BUNDLE_INVALID. */
export async function readFolders(
  file: string,
  bundle: Bundle,
  read: (path: string) => Promise<Buffer>,
): Promise<readonly WrittenFolder[]> {
  const folders: WrittenFolder[] = [];
  for (const kind of kinds)
    for (const name of bundle[kind] ?? []) folders.push(await readFolder(kind, join(dirname(file), kind, name), read));
  return folders;
}

async function readFolder(
  kind: FolderKind,
  folder: string,
  read: (path: string) => Promise<Buffer>,
): Promise<WrittenFolder> {
  const name = basename(folder);
  const entries = await listFiles(folder);
  const fault = findFault(entries, KINDS[kind]);
  if (fault !== undefined)
    throw new KernelError('BUNDLE_INVALID', `${folder} cannot be in a bundle: ${fault}.`, {
      hint: 'Remove what does not belong to it, or name another folder.',
    });
  const contents = new Map<string, Buffer>();
  const files: LockedFile[] = [];
  for (const {path} of entries) {
    const bytes = await read(join(folder, path));
    const isExecutable = ((await lstat(join(folder, path))).mode & 0o100) !== 0;
    contents.set(posix.join(kind, name, path), bytes);
    files.push({path, digest: digest(bytes), ...(isExecutable ? {executable: true} : {})});
  }
  return {kind, name, tree: digestOf(entries), files, contents};
}

async function listFiles(folder: string): Promise<readonly TreeEntry[]> {
  try {
    return listTree(await realpath(folder)).filter(({kind}) => kind !== 'folder');
  } catch (cause) {
    throw new KernelError('BUNDLE_UNREADABLE', `Cannot read ${folder}: ${messageOf(cause)}`, {
      cause,
      hint: 'Name a folder beside the file of the bundle, with regular files only.',
    });
  }
}

function findFault(entries: readonly TreeEntry[], wanted: string): string | undefined {
  if (!entries.some(({path}) => path === wanted)) return `it has no ${wanted}`;
  if (entries.length > MOST_FILES) return `it has more than ${MOST_FILES} files`;
  const bytes = entries.reduce((sum, {mark}) => sum + Number(mark.split(' ')[0]), 0);
  if (bytes > MOST_BYTES) return `it has more than ${MOST_BYTES / 1024 / 1024} MiB`;
  const seen = new Map<string, boolean>();
  for (const {path, kind} of entries) {
    if (kind === 'link') return `${path} is a link`;
    if (path.split('/').includes('.git')) return `it has the files of a repository (${path})`;
    const fault = findNameFault(path) ?? claimName(path, false, seen);
    if (fault !== undefined) return `${path} ${fault}`;
  }
  return undefined;
}

/** What a lock keeps of folders. */
export function lockFolders(folders: readonly WrittenFolder[]): Pick<BundleLock, FolderKind> {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const own = folders.filter((one) => one.kind === kind);
      return own.length === 0
        ? []
        : [[kind, Object.fromEntries(own.map(({name, tree, files}) => [name, {tree, files}]))]];
    }),
  );
}

/** Every folder of a lock. */
export function foldersOf(
  lock: Pick<BundleLock, FolderKind>,
): readonly (LockedFolder & {readonly kind: FolderKind; readonly name: string})[] {
  return kinds.flatMap((kind) => Object.entries(lock[kind] ?? {}).map(([name, folder]) => ({...folder, kind, name})));
}

/** Every file that a bundle brings beside plugins, under its path in the bundle. */
export function filesOf(lock: Pick<BundleLock, FolderKind | 'policies'>): readonly LockedFile[] {
  const inFolders = foldersOf(lock).flatMap(({kind, name, files}) =>
    files.map((one) => ({...one, path: posix.join(kind, name, one.path)})),
  );
  return [...lock.policies, ...inFolders];
}
