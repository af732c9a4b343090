import {createHash} from 'node:crypto';
import {lstat, readlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {deflate, inflate} from 'node:zlib';
import {makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {MOST_BYTES} from './session-bytes.js';
import {passOver, systemCode, systemReason} from './system-code.js';

/** What was at a path. `hash` is the SHA-256 of the content. */
export type FileState =
  | {readonly kind: 'absent'}
  | {readonly kind: 'file'; readonly hash: string; readonly mode: number}
  | {readonly kind: 'link'; readonly target: string}
  | {readonly kind: 'unknown'; readonly reason: string};

/** A path and what was there. */
export interface PathState {
  readonly path: string;
  readonly state: FileState;
}

/** For one file; this program writes no larger one. */
const MOST_CONTENT = 64 * 1024 * 1024;

/** Contents by their SHA-256, deflated, each stored once. Contents are only ever added. */
export class Snapshots {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(content: Buffer): Promise<string> {
    const hash = hashOf(content);
    const path = this.#pathOf(hash);
    if (await lstat(path).catch((error: unknown) => passOver(error, 'ENOENT'))) return hash;
    await makePrivateFolder(dirname(path));
    await writeAtomically(path, await promisify(deflate)(content, {level: 1}), {durable: false});
    return hash;
  }

  /** Undefined when it is missing or has changed. */
  async get(hash: string): Promise<Buffer | undefined> {
    const reading = readRegular(this.#pathOf(hash), {limit: MOST_BYTES});
    const deflated = await reading.catch((error: unknown) => passOver(error, 'ENOENT'));
    const content =
      deflated && (await promisify(inflate)(deflated, {maxOutputLength: MOST_CONTENT}).catch(() => undefined));
    return content && hashOf(content) === hash ? content : undefined;
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** What is at a path now; with a store, also saves the file's content. Never throws for file system errors. */
export async function stateOf(
  path: string,
  {most, store}: {readonly most: number; readonly store?: Snapshots},
): Promise<FileState> {
  if (path.includes('\0')) return {kind: 'unknown', reason: 'no file can have such a path'};
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return {kind: 'link', target: await readlink(path)};
    if (!stats.isFile())
      return {kind: 'unknown', reason: stats.isDirectory() ? 'it is a directory' : 'it is not a regular file'};
    if (stats.size > most) return {kind: 'unknown', reason: `it is larger than ${most / 1024 / 1024} MiB`};
    const content = await readRegular(path, {limit: most});
    return {kind: 'file', hash: store ? await store.put(content) : hashOf(content), mode: stats.mode & 0o7777};
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')
      ? {kind: 'absent'}
      : {kind: 'unknown', reason: systemReason(error)};
  }
}

/** Whether two states are the same; an unknown state equals nothing. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash;
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'absent' && b.kind === 'absent';
}

/** The content with this hash: as it was saved, or that of the file, if that is still the same; or undefined. */
export async function contentOf(path: string, hash: string, store: Snapshots): Promise<Buffer | undefined> {
  const saved = await store.get(hash);
  if (saved) return saved;
  try {
    const content = await readRegular(path, {limit: MOST_CONTENT});
    return hashOf(content) === hash ? content : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
