import {isFileFault, makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {createHash} from 'node:crypto';
import {dirname} from 'node:path';
import {languages} from '../languages/languages.js';
import {FileTable, type FileEntry} from './file-table.js';
import {NameTable} from './name-table.js';
import {SYMBOL_INTS} from './parsed-file.js';

/** Change it with the form of the file, with the grammars, and with what is read of a tree. */
const FORM = 'gemini code index 2';
const LARGEST = 256 * 1024 * 1024;
const DIGEST_BYTES = 32;

/** Path, version, how many numbers its symbols, words and imports have, and why it has none. */
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
export async function writeKept(path: string, table: FileTable): Promise<number> {
  await makePrivateFolder(dirname(path));
  const bytes = pack(table);
  await writeAtomically(path, bytes, {durable: false});
  return bytes.length;
}

/** Digest, lengths of the header and of the names, header, names, numbers. */
function pack(table: FileTable): Buffer {
  const {names, files} = compact(table);
  const header: Header = {
    form: formOf(),
    names: names.length,
    files: files.map(({path, stamp, symbols, words, imports, fault}): KeptFile => {
      const counts = [symbols.length, words.length, imports.length] as const;
      return fault === undefined ? [path, stamp, counts] : [path, stamp, counts, fault];
    }),
  };
  const texts = [JSON.stringify(header), JSON.stringify(names)].map((text) => Buffer.from(text));
  const lengths = Buffer.alloc(8);
  for (const [index, {length}] of texts.entries()) lengths.writeUInt32LE(length, index * 4);
  const ints = files.flatMap(({symbols, words, imports}) => [symbols, words, imports].map(bytesOf));
  const body = Buffer.concat([lengths, ...texts, ...ints]);
  return Buffer.concat([createHash('sha256').update(body).digest(), body]);
}

function bytesOf(ints: Int32Array): Buffer {
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
  const move = (ints: Int32Array): Int32Array => ints.map((id) => used[id] ?? 0);
  const moved = [...files.values()].map((file) => {
    const symbols = file.symbols.slice();
    for (let at = 0; at < symbols.length; at += SYMBOL_INTS)
      for (const place of [at, at + 2]) symbols[place] = used[symbols[place] ?? 0] ?? 0;
    return {...file, symbols, words: move(file.words), imports: move(file.imports)};
  });
  return {names: kept, files: moved};
}

/** Undefined for bytes that are not a whole table of this form. */
function spell(bytes: Buffer): FileTable | undefined {
  const body = bytes.subarray(DIGEST_BYTES);
  if (body.length < 8) return undefined;
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  const [headerLength, namesLength] = [body.readUInt32LE(0), body.readUInt32LE(4)];
  const header = JSON.parse(body.toString('utf8', 8, 8 + headerLength)) as Header;
  if (header.form !== formOf()) return undefined;
  const names = JSON.parse(body.toString('utf8', 8 + headerLength, 8 + headerLength + namesLength)) as string[];
  // Numbers begin at a multiple of four in a buffer of their own.
  const rest = body.subarray(8 + headerLength + namesLength);
  const ints = new Int32Array(rest.length >> 2);
  rest.copy(Buffer.from(ints.buffer));
  let at = 0;
  const take = (count: number): Int32Array => ints.subarray(at, (at += count));
  const files = header.files.map(([path, stamp, counts, fault]): FileEntry => {
    const [symbols, words, imports] = [take(counts[0]), take(counts[1]), take(counts[2])];
    return {...{path, stamp, symbols, words, imports}, ...(fault === undefined ? {} : {fault})};
  });
  return new FileTable(new NameTable(names), files);
}
