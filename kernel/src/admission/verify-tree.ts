import {lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {messageOf} from '../error.js';
import {markOf} from './mark.js';

export interface TreeCheck {
  readonly root: string;
  /** The digest it must have. */
  readonly tree: string;
  /** A file that keeps what was seen when the tree was last hashed; without it everything is hashed. */
  readonly record?: string;
  /** Names the process that writes, so that two do not write into one file. */
  readonly writer?: string;
}

/**
 * Why a tree is not the one it should be, or undefined when it is. What has the size, times and inode it had when it was last hashed
 * is taken as it was; everything else is hashed. The time of the last change of an inode is among them, and nobody but the system's
 * administrator can set that.
 */
export async function verifyTree({root, tree, record, writer = 'new'}: TreeCheck): Promise<string | undefined> {
  const lines = record === undefined ? undefined : readRecord(record, root, tree);
  if (lines && isUntouched(root, lines)) return undefined;
  // Hashing loads what most starts do without.
  const {digestOf, listTree} = await import('./hash-tree.js');
  const kept = lines && new Map(lines.map(readLine));
  try {
    const entries = listTree(root, (path, mark) => (kept?.get(path)?.mark === mark ? kept.get(path)?.digest : undefined));
    if (digestOf(entries) !== tree) {
      const odd = kept && entries.find(({path, kind, digest}) => kind !== 'folder' && kept.get(path)?.digest !== digest);
      return `its files are not those the lock was made for${odd ? ` (${odd.path})` : ''}`;
    }
    if (record !== undefined) keep(record, writer, [tree, root, ...entries.map(({mark, digest, path}) => `${mark}|${digest}|${path}`)].join('\n'));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The lines of a record that was made for this tree: mark, digest and path of an entry, each. */
function readRecord(record: string, root: string, tree: string): readonly string[] | undefined {
  try {
    const [hashed, place, ...lines] = readFileSync(record, 'utf8').split('\n');
    return hashed === tree && place === root ? lines : undefined;
  } catch {
    // Never hashed here, or thrown away: it is hashed now.
    return undefined;
  }
}

function readLine(line: string): readonly [string, {readonly mark: string; readonly digest: string}] {
  const [mark = '', digest = ''] = line.split('|', 2);
  return [line.slice(mark.length + digest.length + 2), {mark, digest}];
}

/** Nothing is made of a line but what is compared: a tree has thousands. */
function isUntouched(root: string, lines: readonly string[]): boolean {
  for (const line of lines) {
    const end = line.indexOf('|');
    const path = line.slice(line.indexOf('|', end + 1) + 1);
    const stats = lstatSync(path === '' ? root : `${root}/${path}`, {throwIfNoEntry: false});
    if (!stats || !line.startsWith(`${markOf(stats)}|`)) return false;
  }
  return lines.length > 0;
}

/** A record that cannot be kept costs the next start a hashing, nothing else. */
function keep(record: string, writer: string, text: string): void {
  try {
    mkdirSync(dirname(record), {recursive: true});
    writeFileSync(`${record}.${writer}`, text);
    renameSync(`${record}.${writer}`, record);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
