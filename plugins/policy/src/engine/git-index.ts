/** What git's index says of a repository. */
export interface GitIndex {
  /** Paths of the files it tracks, from the top of the repository. */
  readonly files: readonly string[];
  /** Paths of other repositories in it. */
  readonly modules: readonly string[];
}

const HEADER = 12;
const ENTRY = 62;
const GITLINK = 0o160000;
const FOLDER = 0o040000;

/** Reads an index of version 2, 3 or 4; undefined for what is not one, or is incomplete (split or sparse). */
export function readGitIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  const files: string[] = [];
  const modules: string[] = [];
  let last = {name: '', next: HEADER};
  for (let index = 0; index < count; index += 1) {
    const entry = readEntry(bytes, version, last);
    if (!entry || entry.mode === FOLDER) return undefined;
    const path = Buffer.from(entry.name, 'latin1').toString('utf8');
    (entry.mode === GITLINK ? modules : files).push(path);
    last = entry;
  }
  return hasLink(bytes, last.next) ? undefined : {files, modules};
}

interface Entry {
  readonly mode: number;
  /** One character a byte, so that what version 4 cuts off are bytes. */
  readonly name: string;
  /** Where the next entry begins. */
  readonly next: number;
}

/** Reads the entry behind another; undefined when it is not all there. */
function readEntry(bytes: Buffer, version: number, last: Pick<Entry, 'name' | 'next'>): Entry | undefined {
  const at = last.next;
  if (at + ENTRY > bytes.length) return undefined;
  const mode = bytes.readUInt32BE(at + 24);
  const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
  const from = at + ENTRY + (isExtended ? 2 : 0);
  const kept = version === 4 ? readKept(bytes, from, last.name) : {text: '', next: from};
  const end = kept ? bytes.indexOf(0, kept.next) : -1;
  if (!kept || end < 0) return undefined;
  const name = kept.text + bytes.toString('latin1', kept.next, end);
  return {mode, name, next: version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8};
}

/** What version 4 keeps of the name before. */
function readKept(bytes: Buffer, from: number, name: string): {text: string; next: number} | undefined {
  const strip = readVariable(bytes, from);
  if (!strip || strip.value > name.length) return undefined;
  return {text: name.slice(0, name.length - strip.value), next: strip.next};
}

/** A number of as many bytes as it needs, as git writes offsets. */
function readVariable(bytes: Buffer, from: number): {readonly value: number; readonly next: number} | undefined {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    at += 1;
    if (at >= bytes.length || value > 1 << 20) return undefined;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return {value, next: at + 1};
}

/** Whether an extension says that entries are elsewhere. */
function hasLink(bytes: Buffer, from: number): boolean {
  for (let at = from; at + 8 <= bytes.length - 20;) {
    const name = bytes.toString('latin1', at, at + 4);
    if (name === 'link' || name === 'sdir') return true;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return false;
}
