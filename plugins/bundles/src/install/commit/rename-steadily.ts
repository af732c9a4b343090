import {rename} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import {systemCode} from '../../system-faults.js';

const TRIES = 10;

/**
 * Renames with retries, because a virus scanner may hold a file for a moment (Windows reports EPERM, EACCES or EBUSY
 * then).
 */
export async function renameSteadily(from: string, to: string): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (left === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '')) throw error;
      await setTimeout(20);
    }
  }
}
