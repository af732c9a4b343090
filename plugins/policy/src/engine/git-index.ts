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

/** Reads an index of version 2, 3 or 4; undefined for what is none, or is not all there (split or sparse). */
export function readGitIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  const files: string[] = [];
  const modules: string[] = [];
  let at = HEADER;
  let name = '';
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY > bytes.length) return undefined;
    const mode = bytes.readUInt32BE(at + 24);
    const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    let from = at + ENTRY + (isExtended ? 2 : 0);
    let kept = '';
    if (version === 4) {
      const strip = readVariable(bytes, from);
      if (!strip || strip.value > name.length) return undefined;
      kept = name.slice(0, name.length - strip.value);
      from = strip.next;
    }
    const end = bytes.indexOf(0, from);
    if (end < 0) return undefined;
    // One character a byte, so that what version 4 cuts off are bytes.
    name = kept + bytes.toString('latin1', from, end);
    const path = Buffer.from(name, 'latin1').toString('utf8');
    if (mode === FOLDER) return undefined;
    (mode === GITLINK ? modules : files).push(path);
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return hasLink(bytes, at) ? undefined : {files, modules};
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
