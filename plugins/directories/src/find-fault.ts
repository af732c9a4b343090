import {access, constants} from 'node:fs/promises';

/** Why a directory is no longer usable. */
export type DirectoryFault = 'gone' | 'closed';

/** How a fault reads behind the path. */
export const FAULTS: Readonly<Record<DirectoryFault, string>> = {
  gone: 'it no longer exists',
  closed: 'it cannot be listed',
};

/** What became of a directory since it joined; undefined when it can be listed. */
export async function findFault(path: string): Promise<DirectoryFault | undefined> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === 'EACCES' || code === 'EPERM' ? 'closed' : 'gone';
  }
}
