import {createHash} from 'node:crypto';
import {lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats} from 'node:fs';
import {join, sep} from 'node:path';

/** One file, link or folder of a tree. */
export interface TreeEntry {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'folder';
  /**
   * What changes when the content may have: size, time of the content, time of the inode, inode; a folder's says
   * whether names came or went.
   */
  readonly mark: string;
  /** sha256 of a file's bytes or a link's target; a folder has none. */
  readonly digest: string;
}

function markOf({size, mtimeMs, ctimeMs, ino}: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

/**
 * Every entry below `root` in a fixed order. `known` gives the digest of an entry that did not change since it was
 * taken. Throws when a link leads out, or something is no file.
 */
export function listTree(
  root: string,
  known: (path: string, mark: string) => string | undefined = () => undefined,
): readonly TreeEntry[] {
  const top = realpathSync(root);
  const entries: TreeEntry[] = [];
  const visit = (folder: string, prefix: string): void => {
    entries.push({path: prefix.slice(0, -1), kind: 'folder', mark: markOf(lstatSync(folder)), digest: ''});
    const found = readdirSync(folder, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const one of found) {
      const [path, name] = [join(folder, one.name), `${prefix}${one.name}`];
      if (one.isDirectory()) visit(path, `${name}/`);
      else entries.push(readEntry({path, name, top, isLink: one.isSymbolicLink(), isFile: one.isFile()}, known));
    }
  };
  visit(top, '');
  return entries;
}

interface Found {
  readonly path: string;
  readonly name: string;
  readonly top: string;
  readonly isLink: boolean;
  readonly isFile: boolean;
}

function readEntry(
  {path, name, top, isLink, isFile}: Found,
  known: (path: string, mark: string) => string | undefined,
): TreeEntry {
  if (isLink ? !realpathSync(path).startsWith(`${top}${sep}`) : !isFile)
    throw new Error(`its ${name} is no file of its own`);
  const mark = markOf(lstatSync(path));
  // Taken before the bytes are read: what changes meanwhile has another mark next time.
  const digest =
    known(name, mark) ??
    createHash('sha256')
      .update(isLink ? readlinkSync(path) : readFileSync(path))
      .digest('hex');
  return {path: name, kind: isLink ? 'link' : 'file', mark, digest};
}

/**
 * One digest over the names, kinds and contents of entries: `sha256-` and its hexadecimal digits. Empty folders do not
 * count.
 */
export function digestOf(entries: readonly TreeEntry[]): string {
  const hash = createHash('sha256');
  for (const {path, kind, digest} of entries)
    if (kind !== 'folder') hash.update(`${kind} ${Buffer.byteLength(path)} ${path} ${digest}\n`);
  return `sha256-${hash.digest('hex')}`;
}

/**
 * One digest over every path, link target and byte below `root`. Throws when a link leads out, or something is no file.
 */
export function hashTree(root: string): string {
  return digestOf(listTree(root));
}
