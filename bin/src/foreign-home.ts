import {statSync} from 'node:fs';
import {KernelError} from '@gemini-kernel/kernel';

/**
 * Refuses root with the home folder of another user, as some `sudo` leave it: what that user installed would run as
 * root, and what root writes there the user could not change. Throws KernelError HOME_FOREIGN.
 */
export function refuseForeignHome(home: string, user = process.geteuid?.()): void {
  const owner = user === 0 ? statSync(home, {throwIfNoEntry: false})?.uid : undefined;
  if (!owner) return;
  const sentence = `This runs as root, and the home folder ${home} belongs to the user ${owner}.`;
  throw new KernelError('HOME_FOREIGN', sentence, {
    hint: 'Run it as that user. For root, use sudo -H, or set HOME to a folder that root owns.',
  });
}
