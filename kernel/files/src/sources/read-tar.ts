import {gunzipSync} from 'node:zlib';
import type {SourceFile, SourceLimits} from './source-limits.js';

const BLOCK = 512;
/** Headers and padding of the most files that are taken. */
const MOST_BESIDE = 8 * 1024 * 1024;

/** The files of a tar archive, gzipped or not. Throws the error of `limits` for anything that is not a file. */
export function readTar(bytes: Buffer, limits: SourceLimits): readonly SourceFile[] {
  const all = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes, limits) : bytes;
  const files: SourceFile[] = [];
  let longName: string | undefined;
  for (const entry of listEntries(all, limits)) {
    const {type, content} = entry;
    const path = (longName ?? entry.path).replace(/^(?:\.\/)+/, '');
    longName = nextName(entry);
    if (BESIDE.has(type)) continue;
    if (type !== '0' && type !== '\0') throw limits.refuse(path, 'is not a file');
    limits.check({path, size: content.length});
    files.push({path, bytes: content, isExecutable: entry.isExecutable});
  }
  if (files.length === 0) throw limits.refuseAll('it contains no file');
  return files;
}

/** Headers about other entries, and folders. */
const BESIDE = new Set(['x', 'L', 'g', '5']);

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

function* listEntries(all: Buffer, limits: SourceLimits): Generator<Entry> {
  for (let at = 0; at + BLOCK <= all.length && all[at] !== 0;) {
    const header = all.subarray(at, at + BLOCK);
    const size = parseInt(textOf(header, 124, 12), 8);
    const content = all.subarray(at + BLOCK, at + BLOCK + size);
    const path = nameOf(header);
    if (!isHeader(header) || content.length !== size) throw limits.refuse(path, 'is damaged');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const isExecutable = (parseInt(textOf(header, 100, 8), 8) & 0o111) !== 0;
    yield {path, type: String.fromCharCode(header[156] ?? 0), content, isExecutable};
  }
}

/** The name that a header gives to the entry after it, where a name is long. */
function nextName({type, content}: Entry): string | undefined {
  if (type === 'L') return textOf(content, 0, content.length);
  return type === 'x' ? /^\d+ path=(.*)$/m.exec(content.toString())?.[1] : undefined;
}

function gunzip(bytes: Buffer, limits: SourceLimits): Buffer {
  try {
    return gunzipSync(bytes, {maxOutputLength: limits.bytes + MOST_BESIDE});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw limits.refuseAll('its content is damaged or too large');
  }
}

function isHeader(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  return parseInt(textOf(header, 148, 8), 8) === sum;
}

function nameOf(header: Buffer): string {
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textOf(header, 345, 155) : '';
  return prefix === '' ? textOf(header, 0, 100) : `${prefix}/${textOf(header, 0, 100)}`;
}

function textOf(bytes: Buffer, from: number, length: number): string {
  const text = bytes.toString('utf8', from, from + length);
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
