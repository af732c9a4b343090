import {realpathSync} from 'node:fs';
import {join, relative, sep} from 'node:path';
import {readRegularSync} from '@gemini-kernel/files';

/** The files of an installed plugin, each with the digest that the lock vouches for. */
export interface CheckedTree {
  /** Its folder, without links on the way. */
  readonly root: string;
  /** sha256 of each file, by its path below `root` with forward slashes. */
  readonly digests: ReadonlyMap<string, string>;
}

export interface TreePlace {
  readonly root: string;
  /** The digest of all of it. */
  readonly tree: string;
  /** What an earlier start noted of it; without that everything is hashed. */
  readonly record?: string;
}

/**
 * The files that a tree must consist of. They come from a note or from the disk, and count only if together they make
 * up the digest `tree`: a note that lies is found out. Throws when they do not, or when the tree cannot be read.
 */
export async function openTree({root, tree, record}: TreePlace): Promise<CheckedTree> {
  const {digestOf, listTree, readNoted} = await import('@gemini-kernel/admission');
  const noted = record === undefined ? undefined : readNoted(record, root, tree);
  const entries = noted && digestOf(noted) === tree ? noted : listTree(root);
  if (digestOf(entries) !== tree) throw new Error('its files are not those the lock was made for');
  const files = entries.filter(({kind}) => kind === 'file').map(({path, digest}) => [path, digest] as const);
  return {root: realpathSync(root), digests: new Map(files)};
}

/** Whether a file lies in a tree. */
export function isInside(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** Of one module or manifest. */
const SIZE_AT_MOST = 256 * 2 ** 20;

/** Reads a file of a tree. Throws when the bytes are not those that the lock vouches for. */
export async function readChecked(tree: CheckedTree, path: string): Promise<Buffer> {
  const bytes = readRegularSync(path, SIZE_AT_MOST);
  const {createHash} = await import('node:crypto');
  const real = realpathSync(path);
  checkDigest(tree, real, createHash('sha256').update(bytes).digest('hex'));
  return bytes;
}

/** Throws when a file of a tree has not the digest that the lock vouches for. */
export function checkDigest({root, digests}: CheckedTree, file: string, digest: string): void {
  const path = relative(root, file).split(sep).join('/');
  if (digests.get(path) === digest) return;
  throw new Error(
    `${join(root, path)} is not the file that was verified: it changed while the program ran, or was added.`,
  );
}
