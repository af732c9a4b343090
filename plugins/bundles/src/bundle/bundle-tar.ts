/** A file of a bundle's archive. */
export interface TarFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const BLOCK = 512;

/**
 * The files as one tar archive, sorted by name, with all other metadata fixed. Throws Error when a name is too long.
 */
export function writeTar(files: readonly TarFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({path, bytes}) => [
    headerOf(path, bytes.length),
    bytes,
    Buffer.alloc(padding(bytes.length)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/**
 * The files of an archive that `writeTar` made. Throws Error on anything that `writeTar` does not write: links,
 * folders, duplicate names, paths that leave the archive.
 */
export function readTar(bytes: Buffer): readonly TarFile[] {
  const files: TarFile[] = [];
  let at = 0;
  for (; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + BLOCK);
    const [size, path] = [Number.parseInt(textOf(header, 124, 12), 8), pathOf(header)];
    const before = files.at(-1)?.path;
    if (!header.equals(headerOf(path, size)))
      throw new Error(`its entry ${path} was not written by gemini bundle export`);
    if (before !== undefined && before >= path) throw new Error(`its entry ${path} is a duplicate or out of order`);
    if (leadsOut(path)) throw new Error(`its entry ${path} points outside the archive`);
    const end = at + BLOCK + size;
    if (end > bytes.length) throw new Error(`its entry ${path} is truncated`);
    files.push({path, bytes: bytes.subarray(at + BLOCK, end)});
    at = end + padding(size);
  }
  if (bytes.length - at !== 2 * BLOCK || bytes.subarray(at).some((byte) => byte !== 0))
    throw new Error('it has no end marker, or data after it');
  return files;
}

/** Whether an archive can have a file of this name. */
export function fitsArchive(path: string): boolean {
  try {
    return splitPath(path).name !== '';
  } catch {
    return false;
  }
}

function leadsOut(path: string): boolean {
  return path.startsWith('/') || path.includes('\\') || path.split('/').some((part) => ['', '.', '..'].includes(part));
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const {prefix, name} = splitPath(path);
  header.write(name, 0);
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100);
  header.write(`${Math.max(size, 0).toString(8).padStart(11, '0')}\0` + `${'0'.repeat(11)}\0`, 124);
  header.write('        0', 148);
  header.write('ustar\0' + '00', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function splitPath(path: string): {readonly prefix: string; readonly name: string} {
  if (Buffer.byteLength(path) <= 100) return {prefix: '', name: path};
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return {prefix, name};
  }
  throw new Error(`the name ${path} is too long for an archive`);
}

function pathOf(header: Buffer): string {
  const prefix = textOf(header, 345, 155);
  return prefix ? `${prefix}/${textOf(header, 0, 100)}` : textOf(header, 0, 100);
}

function textOf(header: Buffer, start: number, length: number): string {
  const text = header.subarray(start, start + length).toString();
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
