import {isFileFault, makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {createHash} from 'node:crypto';
import {dirname} from 'node:path';
import {languages} from '../languages/languages.js';
import {FileEntry} from './file-entry.js';
import {FileTable} from './file-table.js';
import {NameTable} from './name-table.js';
import {intsOf, renumber, shareInts} from './parsed-file.js';

/** Change it with the form of the file, with the grammars, and with what is read of a tree. */
const FORM = 'gemini code index 3';
const LARGEST = 256 * 1024 * 1024;
const DIGEST_BYTES = 32;
/** Written at once. */
const PIECE = 1024 * 1024;

/** Path, version, how many numbers its symbols, its words and all have, and why it has no symbols. */
type KeptFile = readonly [path: string, stamp: string, counts: readonly [number, number, number], fault?: string];

interface Header {
  readonly form: string;
  readonly names: number;
  readonly files: readonly KeptFile[];
}

/** An index that other queries made is made again. */
function formOf(): string {
  return `${FORM} ${createHash('sha256').update(JSON.stringify(languages)).digest('hex')}`;
}

/** The table that is kept in a file; an empty one when the file is missing, or is not one of ours. */
export async function readKept(path: string): Promise<FileTable> {
  try {
    return spell(await readRegular(path, {limit: LARGEST})) ?? new FileTable();
  } catch (error) {
    if (isFileFault(error) || (error as NodeJS.ErrnoException).code !== undefined) return new FileTable();
    throw error;
  }
}

/** Keeps a table. The last of several that write at once counts: each is whole. */
export async function writeKept(path: string, table: FileTable): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writeAtomically(path, pack(table), {durable: false});
}

/** Lengths of the header and of the names, header, names, numbers, digest: in pieces, for the whole is large. */
function* pack(table: FileTable): Generator<Buffer> {
  const {names, files} = compact(table);
  const header: Header = {
    form: formOf(),
    names: names.length,
    files: files.map(({path, stamp, length, symbolInts, wordInts, fault}): KeptFile => {
      const counts = [symbolInts, wordInts, length] as const;
      return fault === undefined ? [path, stamp, counts] : [path, stamp, counts, fault];
    }),
  };
  const texts = [JSON.stringify(header), JSON.stringify(names)].map((text) => Buffer.from(text));
  const [headed = 0, named = 0] = texts.map(({length}) => length);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(headed, 0);
  lengths.writeUInt32LE(named, 4);
  const digest = createHash('sha256');
  // Numbers begin at a multiple of four, so that they are read where they are.
  for (const piece of inPieces([lengths, ...texts, Buffer.alloc(-(headed + named) & 3), ...files.map(bytesOf)])) {
    digest.update(piece);
    yield piece;
  }
  yield digest.digest();
}

/** The same bytes in fewer parts. */
function* inPieces(parts: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for (const part of parts) {
    waiting.push(part);
    length += part.length;
    if (length < PIECE) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

function bytesOf(file: FileEntry): Buffer {
  const ints = intsOf(file);
  return Buffer.from(ints.buffer, ints.byteOffset, ints.byteLength);
}

/** The table without names that no file has any more. */
function compact({names, files}: FileTable): {readonly names: readonly string[]; readonly files: readonly FileEntry[]} {
  const used = new Int32Array(names.size);
  for (const {words} of files.values()) for (const id of words) used[id] = 1;
  const kept: string[] = [];
  for (const [id, name] of names.all().entries()) {
    if (id > 0 && used[id] !== 1) continue;
    used[id] = kept.length;
    kept.push(name);
  }
  if (kept.length === names.size) return {names: kept, files: [...files.values()]};
  const moved = shareInts([...files.values()]).map((file) => new FileEntry(file));
  for (const file of moved) renumber(file, (id) => used[id] ?? 0);
  return {names: kept, files: moved};
}

/** Undefined for bytes that are not a whole table of this form. */
function spell(bytes: Buffer): FileTable | undefined {
  const body = bytes.subarray(0, -DIGEST_BYTES);
  if (body.length < 8) return undefined;
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(-DIGEST_BYTES))) return undefined;
  const [headed, named] = [body.readUInt32LE(0), body.readUInt32LE(4)];
  const header = JSON.parse(body.toString('utf8', 8, 8 + headed)) as Header;
  if (header.form !== formOf()) return undefined;
  const names = JSON.parse(body.toString('utf8', 8 + headed, 8 + headed + named)) as string[];
  const ints = asInts(body.subarray(8 + headed + named + (-(headed + named) & 3)));
  let next = 0;
  const files = header.files.map(([path, stamp, [symbolInts, wordInts, length], fault]) => {
    const at = next;
    next += length;
    return new FileEntry({...{path, stamp, ints, at, length, symbolInts, wordInts}, ...(fault ? {fault} : {})});
  });
  return new FileTable(new NameTable(names), files);
}

function asInts(bytes: Buffer): Int32Array {
  const aligned = bytes.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0 ? bytes : Buffer.from(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
