import {readdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Signature} from '@gemini-kernel/admission';
import {filesOf} from './brought-folders.js';
import type {BundleLock} from './bundle-lock.js';
import {parseSignatures} from './bundle-signatures.js';
import {readTar} from './bundle-tar.js';
import {parseBundleLock, readBytes} from './read-bundle.js';

/** A locked bundle and the parts of it that are present. Only the format of its lock has been checked. */
export interface OpenBundle {
  readonly place: string;
  readonly kind: 'files' | 'archive';
  /** The lock's own file; undefined for an archive. */
  readonly file?: string;
  readonly lock: BundleLock;
  /** The exact text that was signed. */
  readonly text: string;
  readonly signatures: readonly Signature[];
  /** The policies and the files of folders that are present, by their paths in the bundle. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Archives that came with it, by their file names. */
  readonly archives: ReadonlyMap<string, Buffer>;
}

/** The names of a bundle's parts in an archive and in the folder of an applied bundle. */
export const PARTS = {lock: 'bundle.lock.json', signatures: 'bundle.lock.json.sig', archives: 'archives/'} as const;

const LARGEST = 1024 ** 3;

/**
 * The file name of a plugin's archive inside a bundle: its integrity, in characters that are safe in every file system.
 */
export function archiveName(integrity: string): string {
  return `${integrity.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.tgz`;
}

/** Opens a lock, the folder of one, or an exported archive. Throws KernelError BUNDLE_UNREADABLE or BUNDLE_INVALID. */
export async function openBundle(place: string): Promise<OpenBundle> {
  const found = await stat(place).catch((cause: unknown) => {
    throw new KernelError('BUNDLE_UNREADABLE', `Cannot read ${place}: ${messageOf(cause)}`, {
      cause,
      hint: 'Name a lock, its folder, or an archive that `gemini bundle export` wrote.',
    });
  });
  if (found.isDirectory()) return openFiles(await findLock(place), place);
  if (found.size > LARGEST)
    throw new KernelError('BUNDLE_UNREADABLE', `${place} is larger than ${LARGEST} bytes, so it is not a bundle.`, {
      hint: 'Name an archive that `gemini bundle export` wrote.',
    });
  const bytes = await readBytes(place);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? openArchive(bytes, place) : openFiles(place, place);
}

async function findLock(folder: string): Promise<string> {
  const locks = (await readdir(folder))
    .filter((name) => name === PARTS.lock || name.endsWith('.bundle.lock.json'))
    .sort();
  if (locks[0] !== undefined && locks.length === 1) return join(folder, locks[0]);
  const what = locks.length === 0 ? 'no bundle lock' : `${locks.length} locks: ${locks.join(', ')}`;
  throw new KernelError('BUNDLE_UNREADABLE', `${folder} holds ${what}.`, {
    hint: locks.length === 0 ? 'Write one with `gemini bundle lock`.' : 'Name one of them.',
  });
}

async function openFiles(file: string, place: string): Promise<OpenBundle> {
  const text = (await readBytes(file)).toString();
  const lock = await parseBundleLock(text, file);
  const files = new Map<string, Buffer>();
  for (const {path} of filesOf(lock)) {
    const bytes = await readIfThere(join(dirname(file), path));
    if (bytes) files.set(path, bytes);
  }
  const signatures = await readIfThere(`${file}.sig`);
  return {
    place,
    kind: 'files',
    file,
    lock,
    text,
    files,
    archives: new Map(),
    signatures: signatures ? parseSignatures(signatures.toString(), `${file}.sig`) : [],
  };
}

async function openArchive(bytes: Buffer, place: string): Promise<OpenBundle> {
  const files = await unpack(bytes, place);
  const text = files.get(PARTS.lock)?.toString();
  if (text === undefined)
    throw new KernelError('BUNDLE_UNREADABLE', `${place} contains no ${PARTS.lock}.`, {
      hint: 'Name an archive that `gemini bundle export` wrote.',
    });
  const lock = await parseBundleLock(text, `${PARTS.lock} of ${place}`);
  const signatures = files.get(PARTS.signatures);
  const brought = new Map(filesOf(lock).flatMap(({path}) => pick(files, path)));
  const archives = new Map(
    [...files]
      .filter(([path]) => path.startsWith(PARTS.archives))
      .map(([path, content]) => [path.slice(PARTS.archives.length), content]),
  );
  const foreign = [...files.keys()].find(
    (path) =>
      path !== PARTS.lock && path !== PARTS.signatures && !brought.has(path) && !path.startsWith(PARTS.archives),
  );
  if (foreign !== undefined)
    throw new KernelError('BUNDLE_TAMPERED', `${place} contains ${foreign}, which its lock does not name.`, {
      hint: 'Get it from its source again.',
    });
  return {
    place,
    kind: 'archive',
    lock,
    text,
    files: brought,
    archives,
    signatures: signatures ? parseSignatures(signatures.toString(), `${PARTS.signatures} of ${place}`) : [],
  };
}

async function unpack(bytes: Buffer, place: string): Promise<ReadonlyMap<string, Buffer>> {
  try {
    return new Map(
      readTar(await promisify(gunzip)(bytes, {maxOutputLength: LARGEST})).map(({path, bytes: content}) => [
        path,
        content,
      ]),
    );
  } catch (cause) {
    throw new KernelError('BUNDLE_TAMPERED', `${place} is damaged: ${messageOf(cause)}.`, {
      cause,
      hint: 'Get it from its source again.',
    });
  }
}

function pick(files: ReadonlyMap<string, Buffer>, path: string): readonly (readonly [string, Buffer])[] {
  const bytes = files.get(path);
  return bytes ? [[path, bytes]] : [];
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readBytes(path);
  } catch (error) {
    if (error instanceof KernelError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      return undefined;
    throw error;
  }
}
