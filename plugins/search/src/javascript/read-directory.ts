import {readdir as readdirWithCallback, type Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {decodeBytes, systemPath} from '../engine/bytes.js';

/** What stands in a directory. */
export interface DirectoryEntry {
  /** Bytes that are no UTF-8 are kept as `decodeBytes` does. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Neither of both: a link, a pipe, a device. */
  readonly isFile: boolean;
}

const REPLACED = '\ufffd';

/** All entries of a directory, in no order, symbolic links as such. Rejects as the system does. */
export async function readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
  const place = systemPath(path);
  const entries = await listNames(place);
  // Such a name is one that holds this character, or bytes that are no UTF-8.
  if (!entries.some(({name}) => name.includes(REPLACED))) return entries.map((entry) => describe(entry, entry.name));
  const exact = await readdir(place, {withFileTypes: true, encoding: 'buffer'});
  return exact.map((entry) => describe(entry, decodeBytes(entry.name)));
}

function listNames(path: string | Buffer): Promise<readonly Dirent[]> {
  return new Promise((resolve, reject) =>
    readdirWithCallback(path, {withFileTypes: true}, (error, entries) => (error ? reject(error) : resolve(entries))),
  );
}

function describe(entry: Pick<Dirent, 'isDirectory' | 'isFile'>, name: string): DirectoryEntry {
  return {name, isDirectory: entry.isDirectory(), isFile: entry.isFile()};
}
