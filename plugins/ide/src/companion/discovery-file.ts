import {randomUUID} from 'node:crypto';
import {rmSync} from 'node:fs';
import {rename, rm, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import type {DiscoveryFile, IdeInfo} from '../protocol.js';
import {prepareFolder} from './discovery-folder.js';
import {machineMark} from './machine-mark.js';
import {passOver, reasonOf} from './system-code.js';

export interface DiscoveryParts {
  readonly temporary: string;
  /** The editor's process. */
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  readonly ide: IdeInfo;
}

/** A companion's discovery file. */
export interface Discovery {
  /** Writes it anew. Throws an Error with a sentence; what stood there before still stands then. */
  write(roots: readonly string[]): Promise<void>;
  /** Removes it, at once. */
  remove(): void;
}

/** The discovery file of a companion, which is not there before it is written. */
export function createDiscovery({temporary, pid, port, token, ide}: DiscoveryParts): Discovery {
  const name = `gemini-ide-server-${pid}-${port}.json`;
  let path: string | undefined;
  return {
    async write(roots) {
      const folder = await prepareFolder(temporary);
      const content: DiscoveryFile & {readonly machine: string} = {
        port,
        workspacePath: joinRoots(roots),
        authToken: token,
        ideInfo: ide,
        machine: await machineMark(),
      };
      path = join(folder, name);
      await putWhole(path, JSON.stringify(content));
    },
    remove() {
      if (path === undefined) return;
      try {
        rmSync(path, {force: true});
      } catch (error) {
        // Whoever comes later sweeps it.
        passOver(error, 'EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOTDIR', 'EIO');
      }
    },
  };
}

/** Folders in one text, as PATH is. One whose name has the separator in it cannot be told. */
export function joinRoots(roots: readonly string[]): string {
  return roots.filter((root) => !root.includes(delimiter)).join(delimiter);
}

/** A file that was not there, readable for its owner only, takes the name when it is whole. */
async function putWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, {flag: 'wx', mode: 0o600});
    await rename(draft, path);
  } catch (error) {
    await rm(draft, {force: true}).catch((failed: unknown) =>
      passOver(failed, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EIO'),
    );
    throw new Error(`${path} cannot be written: ${reasonOf(error)}.`, {cause: error});
  }
}
