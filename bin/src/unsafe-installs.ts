import {join} from 'node:path';
import {findForeignWriter, type ForeignWriter} from '@gemini-kernel/files';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';

export interface InstallFolders {
  readonly installs: Pick<InstallPlaces, 'user'>;
  /** Where the compiled catalog is kept. */
  readonly data: string;
  /** Where the notes of hashed trees are kept. */
  readonly cache: string;
  /** Folders above it are the system's. */
  readonly home: string;
}

/** Who else may change what decides which installed code loads. Undefined when no one can. */
export function findUnsafeInstalls({installs, data, cache, home}: InstallFolders): ForeignWriter | undefined {
  const {lock, store, bundles} = installs.user;
  const decisive = [
    lock,
    store,
    bundles,
    join(bundles, 'memory.json'),
    join(data, 'catalog.json'),
    join(data, 'commands.json'),
    join(cache, 'trees'),
  ];
  for (const path of decisive) {
    const writer = findForeignWriter(path, {home});
    if (writer) return writer;
  }
  return undefined;
}
