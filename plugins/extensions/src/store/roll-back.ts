import {KernelError} from '@gemini-kernel/kernel';
import {verifyTree} from '@gemini-kernel/admission/start';
import {oneVersion, type ExtensionLock} from './extension-lock.js';
import {withLock} from './install-extension.js';

export interface RolledBack {
  readonly name: string;
  readonly version: string;
  readonly before: string;
}

/**
 * Uses the version before again, whose files a person agreed to; rolling back twice changes nothing. Throws KernelError
 * EXTENSION_INVALID where there is none, or its files have changed.
 */
export async function rollBack(lock: ExtensionLock, name: string, signal: AbortSignal): Promise<RolledBack> {
  return withLock({lock, signal}, async () => {
    const locked = await lock.read();
    const entry = locked[name];
    const before = entry?.before;
    if (!entry || !before)
      throw new KernelError('EXTENSION_INVALID', `There is no earlier version of the extension "${name}".`, {
        hint: '`gemini extensions install <source> --ref <ref>` installs any version of a repository.',
      });
    const fault = await verifyTree({root: lock.folderOf(name, before), tree: before.tree});
    if (fault !== undefined)
      throw new KernelError('EXTENSION_INVALID', `${name} ${before.version} cannot be used again: ${fault}.`);
    // An update that was undone must not come back unasked.
    await lock.write({...locked, [name]: {...oneVersion(before), before: oneVersion(entry)}});
    return {name, version: before.version, before: entry.version};
  });
}
