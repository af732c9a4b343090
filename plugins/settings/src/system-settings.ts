import {stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {readOpenedSync} from '@gemini-kernel/files';
import type {Environment} from '@gemini-kernel/kernel';
import type {JSONObject} from './key-path.js';
import {parseSettings, readSettingsText} from './settings-file.js';

/** What `stat` says about who may change a file or a directory. */
export interface Ownership {
  readonly uid: number;
  readonly mode: number;
}

/** The settings of a system file, or the reason to leave them out. */
export interface SystemSettings {
  readonly values?: JSONObject;
  readonly fault?: string;
}

/**
 * Reads a system file if only an administrator can have written it. What is checked is the opened file, not its name.
 * Throws like `readSettings`.
 */
export async function readSystemSettings(
  path: string,
  {platform, variables}: Pick<Environment, 'platform' | 'variables'>,
): Promise<SystemSettings> {
  let fault: string | undefined;
  const text = await readSettingsText(path, async () => {
    const {bytes, found} = readOpenedSync(path);
    const isWindows = platform === 'win32';
    fault = isWindows ? await findWindowsFault(path, variables) : findOwnershipFault(found, await stat(dirname(path)));
    return bytes;
  });
  if (fault !== undefined) return {fault};
  return text === undefined ? {} : {values: await parseSettings(path, text)};
}

/** Why a system file cannot be trusted on Linux and macOS, or undefined when it can. */
export function findOwnershipFault(file: Ownership, directory: Ownership): string | undefined {
  if (file.uid !== 0) return 'the file is not owned by root';
  if (directory.uid !== 0) return 'its directory is not owned by root';
  if (file.mode & 0o022) return 'the file is writable by other users';
  if (directory.mode & 0o022) return 'its directory is writable by other users';
  return undefined;
}

async function findWindowsFault(path: string, variables: Environment['variables']): Promise<string | undefined> {
  const {findAccessFault, readSecurityDescriptors} = await import('./windows-access.js');
  const descriptors = await readSecurityDescriptors([path, dirname(path)], variables);
  if (!descriptors) return 'Windows did not say who may change the file';
  return findAccessFault(descriptors[0] ?? '', 'file') ?? findAccessFault(descriptors[1] ?? '', 'directory');
}
