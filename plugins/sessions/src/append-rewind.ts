import {openToAppend} from '@gemini-kernel/files';
import {writeHint} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {lineOf} from './records.js';
import {releaseLock, takeLock} from './session-lock.js';
import {inUse} from './start-session.js';
import {systemCode, systemReason} from './system-code.js';
import {upgradeSession} from './upgrade-session.js';

/**
 * Removes a prompt and everything after it from a session that no process records. Throws KernelError SESSION_IN_USE
 * or SESSION_UNWRITABLE.
 */
export async function appendRewind(id: string, given: string, prompt: string): Promise<void> {
  try {
    const file = await upgradeSession(given);
    const owner = await takeLock(file);
    if (owner) throw inUse(id, file, owner);
    try {
      const handle = await openToAppend(file);
      try {
        const settled = {lastUpdated: new Date().toISOString(), kernel: {settled: true}};
        await handle.writeFile(`\n${lineOf({$rewindTo: prompt})}${lineOf({$set: settled})}`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } finally {
      await releaseLock(file);
    }
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw new KernelError('SESSION_UNWRITABLE', `Cannot change the session ${id}: ${systemReason(cause)}.`, {
      cause,
      hint: writeHint(cause, `Make ${given} writable for you.`),
    });
  }
}
