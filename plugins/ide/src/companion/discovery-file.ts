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
  /** Writes it again. Throws an Error with a sentence, and then leaves the previous file in place. */
  write(roots: readonly string[]): Promise<void>;
  /** Removes it synchronously. */
  remove(): void;
}

/** The discovery file of a companion. It does not exist before the first write. */
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
        // A later companion sweeps it.
        passOver(error, 'EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOTDIR', 'EIO');
      }
    },
  };
}

/** Folders joined as in PATH, without those whose name contains the separator. */
export function joinRoots(roots: readonly string[]): string {
  return roots.filter((root) => !root.includes(delimiter)).join(delimiter);
}

/** Writes a new file, readable for its owner only, and renames it once it is complete. */
async function putWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, {flag: 'wx', mode: 0o600});
    await rename(draft, path);
  } catch (error) {
    await rm(draft, {force: true}).catch((failed: unknown) =>
      passOver(failed, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EIO'),
    );
    throw new Error(`Cannot write ${path}: ${reasonOf(error)}.`, {cause: error});
  }
}
