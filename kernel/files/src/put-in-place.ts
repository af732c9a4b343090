import {constants} from 'node:fs';
import {copyFile, link} from 'node:fs/promises';

/** File systems without second names. */
const LINKLESS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a file a second name; false when something has that name. */
export async function putInPlace(from: string, name: string): Promise<boolean> {
  try {
    await link(from, name);
    return true;
  } catch (error) {
    const {code = ''} = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!LINKLESS.has(code)) throw error;
    return copyWhereNothingIs(from, name);
  }
}

async function copyWhereNothingIs(from: string, name: string): Promise<boolean> {
  try {
    await copyFile(from, name, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
