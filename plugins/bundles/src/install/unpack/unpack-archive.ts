import {mkdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Parser, ReadEntry} from 'tar';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {claimName, findNameFault} from '@gemini-kernel/files/writing';

/** The most that an archive may contain. */
export interface ArchiveLimits {
  readonly bytes: number;
  readonly entries: number;
}

export interface UnpackOptions {
  readonly signal?: AbortSignal;
  readonly limits?: ArchiveLimits;
}

export interface UnpackedArchive {
  readonly files: number;
  readonly bytes: number;
}

const LIMITS: ArchiveLimits = {bytes: 500 * 1024 * 1024, entries: 50_000};
/** Small enough that the output of each piece can be counted before the next. */
const SLICE = 64 * 1024;

interface Unpacking {
  readonly folder: string;
  readonly limits: ArchiveLimits;
  readonly seen: Map<string, boolean>;
  files: number;
  bytes: number;
  fault: unknown;
}

/**
 * Unpacks the files of a package below `folder`, without the top folder of the archive, as 0644 or 0755. Throws
 * KernelError ARCHIVE_REFUSED, naming the entry, for links, devices, names that lead outside or conflict, and for too
 * much data.
 */
export async function unpackArchive(
  archive: Uint8Array,
  folder: string,
  {signal, limits = LIMITS}: UnpackOptions = {},
): Promise<UnpackedArchive> {
  const state: Unpacking = {folder, limits, seen: new Map(), files: 0, bytes: 0, fault: undefined};
  const {Parser: TarParser} = createRequire(import.meta.url)('tar') as {Parser: typeof Parser};
  const fail = (error: unknown): void => void (state.fault ??= error);
  const parser = new TarParser({
    strict: true,
    maxDecompressionRatio: 2000,
    onReadEntry: (entry) => takeEntry(entry, state, fail),
  });
  parser.on('ignoredEntry', (entry: ReadEntry) =>
    fail(refused(entry.path, `is of a type that no package contains (${entry.type})`)),
  );
  const ended = new Promise<void>((resolve) => {
    parser.once('end', resolve);
    parser.on('error', (error: unknown) => {
      fail(error);
      resolve();
    });
  });
  mkdirSync(folder, {recursive: true, mode: 0o755});
  for (let at = 0; at < archive.length && state.fault === undefined; at += SLICE) {
    signal?.throwIfAborted();
    parser.write(Buffer.from(archive.buffer, archive.byteOffset + at, Math.min(SLICE, archive.length - at)));
    await setImmediate();
  }
  if (state.fault === undefined) {
    parser.end();
    await ended;
  }
  if (state.fault !== undefined) throw describe(state.fault);
  if (state.files === 0) throw refused('it', 'contains no file');
  return {files: state.files, bytes: state.bytes};
}

function describe(fault: unknown): unknown {
  const isOurs = fault instanceof KernelError || (fault as NodeJS.ErrnoException).syscall !== undefined;
  return isOurs
    ? fault
    : new KernelError('ARCHIVE_REFUSED', `The archive cannot be unpacked: ${messageOf(fault)}.`, {
        cause: fault,
        hint: 'It is damaged, or was not made by `npm pack`. Ask its author to pack it again.',
      });
}

function refused(name: string, reason: string): KernelError {
  return new KernelError('ARCHIVE_REFUSED', `The archive is refused: ${JSON.stringify(name)} ${reason}.`, {
    hint: '`npm pack` does not make such archives. Report it to the person who gave it to you.',
  });
}

function takeEntry(entry: ReadEntry, state: Unpacking, fail: (error: unknown) => void): void {
  const isFolder = entry.type === 'Directory' || entry.type === 'GNUDumpDir';
  const fault = findEntryFault(entry, isFolder, state);
  if (fault) fail(refused(entry.path, fault));
  if (isFolder || state.fault !== undefined) return void entry.resume();
  state.bytes += entry.size;
  state.files += 1;
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => void chunks.push(chunk));
  entry.once('error', fail);
  entry.once('end', () => {
    const content = Buffer.concat(chunks);
    if (content.length !== entry.size)
      return fail(refused(entry.path, `ends after ${content.length} of ${entry.size} bytes`));
    try {
      const file = join(state.folder, ...innerPath(entry.path).split('/'));
      mkdirSync(dirname(file), {recursive: true, mode: 0o755});
      writeFileSync(file, content, {flag: 'wx', mode: ((entry.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755});
    } catch (error) {
      fail(error);
    }
  });
}

function findEntryFault(entry: ReadEntry, isFolder: boolean, {seen, limits, bytes}: Unpacking): string | undefined {
  if (!isFolder && !['File', 'OldFile', 'ContiguousFile'].includes(entry.type)) return `is not a file (${entry.type})`;
  const path = innerPath(entry.path);
  if (path === '' && !isFolder) return 'is outside the top folder of the package';
  if (bytes + entry.size > limits.bytes) return `makes it larger than ${limits.bytes} bytes`;
  if (seen.size > limits.entries * 2) return `is one of more than ${limits.entries}`;
  return findNameFault(entry.path) ?? (path === '' ? undefined : claimName(path, isFolder, seen));
}

function innerPath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .slice(1)
    .join('/');
}
