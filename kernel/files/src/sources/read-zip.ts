import {inflateRawSync} from 'node:zlib';
import {crc32} from './crc32.js';
import type {SourceFile, SourceLimits} from './source-limits.js';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

interface Entry {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** As Unix keeps it; 0 when another system packed it. */
  readonly mode: number;
  readonly at: number;
}

/** The files of a zip archive. Throws the error of `limits`, naming the entry, for anything that is not a file. */
export function readZip(bytes: Buffer, limits: SourceLimits): readonly SourceFile[] {
  const files: SourceFile[] = [];
  for (const entry of listEntries(bytes, limits)) {
    if (entry.path.endsWith('/')) continue;
    const kind = entry.mode & 0o170000;
    if (kind !== 0 && kind !== 0o100000) throw limits.refuse(entry.path, 'is not a file');
    if ((entry.flags & 1) === 1) throw limits.refuse(entry.path, 'is encrypted');
    limits.check(entry);
    files.push({path: entry.path, bytes: unpack(bytes, entry, limits), isExecutable: (entry.mode & 0o111) !== 0});
  }
  return files;
}

function* listEntries(bytes: Buffer, limits: SourceLimits): Generator<Entry> {
  const end = findEnd(bytes);
  if (end < 0) throw limits.refuseAll('its end is not that of a zip archive');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw limits.refuseAll('its directory is damaged');
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    yield {
      path: bytes.toString('utf8', at + 46, at + 46 + name),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      mode: bytes.readUInt16LE(at + 40),
      at: bytes.readUInt32LE(at + 42),
    };
    at += 46 + name + extra + comment;
  }
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1)
    if (bytes.readUInt32LE(at) === END) return at;
  return -1;
}

function unpack(bytes: Buffer, {path, method, crc, packed, size, at}: Entry, limits: SourceLimits): Uint8Array {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL) throw limits.refuse(path, 'is damaged');
  const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const raw = bytes.subarray(from, from + packed);
  const content = method === 0 ? raw : method === 8 ? inflate(raw, size) : undefined;
  if (content === undefined) throw limits.refuse(path, 'is packed in an unusual way, or is damaged');
  if (content.length !== size || crc32(content) !== crc) throw limits.refuse(path, 'is damaged');
  return content;
}

/** Never more than the entry announces. */
function inflate(raw: Uint8Array, size: number): Buffer | undefined {
  try {
    return inflateRawSync(raw, {maxOutputLength: Math.max(1, size)});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
