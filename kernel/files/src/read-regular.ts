import type {Stats} from 'node:fs';
import {lstat, open, stat, type FileHandle} from 'node:fs/promises';
import {checkRegular, READING} from './check-regular.js';
import {FileFault, notAFile, tooLarge} from './file-fault.js';
import {READ_LIMIT} from './read-limit.js';
import {firstSize, grow} from './read-regular-sync.js';

export interface ReadOptions {
  /** In bytes. */
  readonly limit?: number;
  /** Gives the first `limit` bytes of a file that is larger, which is no error then. */
  readonly cut?: boolean;
  /** A file on a network that does not answer is given up after this long. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The bytes of a regular file, links followed. Throws FileFault for anything else than a file of at most `limit`
 * bytes that can be read within the deadline, the reason of the signal, and what the system says otherwise.
 */
export async function readRegular(path: string, options: ReadOptions = {}): Promise<Buffer> {
  const {limit = READ_LIMIT, cut = false, deadlineMs = 10_000, signal} = options;
  signal?.throwIfAborted();
  const stopped = {now: false};
  let onStop: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      read(path, {limit, cut, stopped}),
      new Promise<never>((_, reject) => {
        const reason = `it could not be read within ${Math.ceil(deadlineMs / 1000)} seconds`;
        timer = setTimeout(() => reject(new FileFault('ETIMEDOUT', path, reason)), deadlineMs);
        onStop = () => reject(signal?.reason as Error);
        signal?.addEventListener('abort', onStop, {once: true});
      }),
    ]);
  } finally {
    stopped.now = true;
    clearTimeout(timer);
    if (onStop) signal?.removeEventListener('abort', onStop);
  }
}

interface Reading {
  readonly limit: number;
  readonly cut: boolean;
  /** No one waits any more. */
  readonly stopped: {readonly now: boolean};
}

async function read(path: string, reading: Reading): Promise<Buffer> {
  const most = reading.cut ? Infinity : reading.limit;
  checkRegular(path, await follow(path), most);
  const handle = await open(path, READING);
  try {
    const found = await handle.stat();
    checkRegular(path, found, most);
    return await readUpTo(path, {...reading, handle, size: found.size});
  } finally {
    await handle.close();
  }
}

async function follow(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && (await lstat(path).catch(() => undefined))?.isSymbolicLink()) {
      throw notAFile(path, 'link that leads nowhere');
    }
    throw error;
  }
}

interface Opened extends Reading {
  readonly handle: FileHandle;
  readonly size: number;
}

async function readUpTo(path: string, {handle, size, limit, cut, stopped}: Opened): Promise<Buffer> {
  let bytes: Buffer = Buffer.allocUnsafe(firstSize(Math.min(size, limit)));
  let length = 0;
  for (;;) {
    const {bytesRead} = await handle.read(bytes, length, bytes.length - length, null);
    length += bytesRead;
    if (length > limit && !cut) throw tooLarge(path, limit);
    if (bytesRead === 0 || length > limit || stopped.now) return bytes.subarray(0, Math.min(length, limit));
    if (length === bytes.length) bytes = grow(bytes, limit);
  }
}
