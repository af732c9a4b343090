import {lstatSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {makePrivateFolderSync, readRegularSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {TreeEntry} from './hash-tree.js';

export interface TreeCheck {
  readonly root: string;
  /** The digest it must have. */
  readonly tree: string;
  /** A file that keeps what was seen when the tree was last hashed; without it everything is hashed. */
  readonly record?: string;
  /** Names the process that writes, so that two do not write into one file. */
  readonly writer?: string;
}

/** A record has about 150 bytes for each file. */
const SIZE_AT_MOST = 64 * 2 ** 20;

/**
 * Why a tree is not the one it should be, or undefined when it is. What has the size, times and inode it had when it
 * was last hashed is taken as it was; everything else is hashed. The time of the last change of an inode is among them,
 * and only the system's administrator can set that.
 */
export async function verifyTree({root, tree, record, writer = 'new'}: TreeCheck): Promise<string | undefined> {
  const noted = record === undefined ? undefined : readRecord(record, root, tree);
  if (noted && isUntouched(root, noted)) return undefined;
  // Hashing loads what most starts do without.
  const {digestOf, listTree} = await import('./hash-tree.js');
  const markOf = (index: number): string => noted?.marks.subarray(index * FIELDS, (index + 1) * FIELDS).join(' ') ?? '';
  const kept =
    noted &&
    new Map(noted.lines.map((line, index) => readLine(line, markOf(index))).map((entry) => [entry.path, entry]));
  try {
    const entries = listTree(root, (path, mark) =>
      kept?.get(path)?.mark === mark ? kept.get(path)?.digest : undefined,
    );
    if (digestOf(entries) !== tree) {
      const odd =
        kept && entries.find(({path, kind, digest}) => kind !== 'folder' && kept.get(path)?.digest !== digest);
      return `its files are not those the lock was made for${odd ? ` (${odd.path})` : ''}`;
    }
    if (record !== undefined) keep(record, writer, [tree, root], entries);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Numbers of a mark. */
const FIELDS = 4;

interface Noted {
  /** Each entry, as `lineOf` writes it. */
  readonly lines: readonly string[];
  /** The marks of all of them, as numbers: making text of thousands takes longer than looking at the files. */
  readonly marks: Float64Array;
}

/** A record that was made for this tree: how many entries, their marks, and a text with tree, root and the lines. */
function readRecord(record: string, root: string, tree: string): Noted | undefined {
  try {
    const bytes = new Uint8Array(readRegularSync(record, SIZE_AT_MOST)).buffer;
    const count = new Float64Array(bytes, 0, 1)[0] ?? 0;
    const marks = new Float64Array(bytes, 8, count * FIELDS);
    const [hashed, place, ...lines] = Buffer.from(bytes, 8 * (1 + count * FIELDS))
      .toString('utf8')
      .split('\n');
    const isWhole = hashed === tree && place === root && lines.length === count && LINE.test(lines[0] ?? '');
    return isWhole ? {lines, marks} : undefined;
  } catch {
    // Never hashed here, thrown away or of another form: it is hashed now.
    return undefined;
  }
}

/** Kind, digest and path. */
const LINE = /^(file|link|folder) (\w*)\|([^]*)$/;

function lineOf({kind, digest, path}: TreeEntry): string {
  return `${kind} ${digest}|${path}`;
}

function readLine(line: string, mark: string): TreeEntry {
  const [, kind, digest = '', path = ''] = LINE.exec(line) ?? [];
  return {kind: kind as TreeEntry['kind'], digest, path, mark};
}

/** The entries of a tree as a record has them; whether it is right, their digest says. */
export function readNoted(record: string, root: string, tree: string): readonly TreeEntry[] | undefined {
  return readRecord(record, root, tree)?.lines.map((line) => readLine(line, ''));
}

function isUntouched(root: string, {lines, marks}: Noted): boolean {
  let at = 0;
  for (const line of lines) {
    const path = line.slice(line.indexOf('|') + 1);
    const stats = lstatSync(path === '' ? root : `${root}/${path}`, {throwIfNoEntry: false});
    if (
      !stats ||
      stats.size !== marks[at] ||
      stats.mtimeMs !== marks[at + 1] ||
      stats.ctimeMs !== marks[at + 2] ||
      stats.ino !== marks[at + 3]
    )
      return false;
    at += FIELDS;
  }
  return lines.length > 0;
}

/** A record that cannot be kept costs the next start a hashing, nothing else. */
function keep(record: string, writer: string, head: readonly string[], entries: readonly TreeEntry[]): void {
  const marks = Float64Array.from([entries.length, ...entries.flatMap(({mark}) => mark.split(' ').map(Number))]);
  const text = [...head, ...entries.map(lineOf)].join('\n');
  try {
    makePrivateFolderSync(dirname(record));
    writeFileSync(`${record}.${writer}`, Buffer.concat([Buffer.from(marks.buffer), Buffer.from(text)]), {mode: 0o600});
    renameSync(`${record}.${writer}`, record);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
