import {realpathSync} from 'node:fs';
import type {CheckedTree} from '@gemini-kernel/admission/modules';
import {readRegularSync} from '@gemini-kernel/files';

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

/** Of one module or manifest. */
const SIZE_AT_MOST = 256 * 2 ** 20;

/** Reads a file of a tree. Throws when the bytes are not those that the lock vouches for. */
export async function readChecked(tree: CheckedTree, path: string): Promise<Buffer> {
  const bytes = readRegularSync(path, SIZE_AT_MOST);
  const [{createHash}, {checkDigest}] = await Promise.all([
    import('node:crypto'),
    import('@gemini-kernel/admission/modules'),
  ]);
  const real = realpathSync(path);
  checkDigest(tree, real, createHash('sha256').update(bytes).digest('hex'));
  return bytes;
}
