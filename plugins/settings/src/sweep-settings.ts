import {isFileFault} from '@gemini-kernel/files';
import {ownerOfLock, sweepBeside, sweepLock} from '@gemini-kernel/files/writing';
import {lockOf, systemCodeOf} from './settings-file.js';

/**
 * Removes what a process that was killed while it wrote a file of ours left beside it. What cannot be removed stays.
 */
export async function sweepSettings(path: string): Promise<void> {
  try {
    if (await ownerOfLock(lockOf(path))) return;
    await sweepLock(lockOf(path));
    await sweepBeside(path);
  } catch (error) {
    // A lock that is not a file is named by the next change; a folder that is read-only keeps what it has.
    if (!isFileFault(error) && systemCodeOf(error) === undefined) throw error;
  }
}
