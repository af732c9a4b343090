import {join, relative, sep} from 'node:path';

/** The files of an installed plugin, each with the digest that the lock vouches for. */
export interface CheckedTree {
  /** Its folder, without links on the way. */
  readonly root: string;
  /** sha256 of each file, by its path below `root` with forward slashes. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Whether a file lies in a tree. */
export function isInside(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** Throws when a file of a tree has not the digest that the lock vouches for. */
export function checkDigest({root, digests}: CheckedTree, file: string, digest: string): void {
  const path = relative(root, file).split(sep).join('/');
  if (digests.get(path) === digest) return;
  throw new Error(
    `${join(root, path)} is not the file that was verified: it changed while the program ran, or was added.`,
  );
}
