import {openToAppend} from '@gemini-kernel/files';
import {writeHint} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {lineOf} from './records.js';
import {releaseLock, takeLock} from './session-lock.js';
import {inUse} from './start-session.js';
import {systemCode, systemReason} from './system-code.js';
import {upgradeSession} from './upgrade-session.js';

/** Appends records to a session that no process records. Throws KernelError SESSION_IN_USE or SESSION_UNWRITABLE. */
export async function appendToSession(id: string, given: string, records: readonly object[]): Promise<void> {
  try {
    const file = await upgradeSession(given);
    const owner = await takeLock(file);
    if (owner) throw inUse(id, file, owner);
    try {
      const handle = await openToAppend(file);
      try {
        // The last line may be truncated.
        await handle.writeFile(`\n${records.map(lineOf).join('')}`);
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

/** The records that remove a prompt and everything after it. */
export function rewindTo(prompt: string): readonly object[] {
  return [{$rewindTo: prompt}, {$set: {lastUpdated: new Date().toISOString(), kernel: {settled: true}}}];
}
