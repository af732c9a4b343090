import {KernelError} from '@gemini-kernel/kernel';
import {isIntact, withLock} from './extension-store.js';
import type {Installation} from './install-extension.js';

export interface RolledBack {
  readonly name: string;
  readonly version: string;
  /** The version that was in use until now; a second rollback returns to it. */
  readonly before: string;
}

type Rollback = Pick<Installation, 'judge' | 'lock' | 'signal'>;

/**
 * Returns to the version before the last update. You agreed to both, so nothing is asked. Throws KernelError
 * EXTENSION_UNKNOWN, EXTENSION_INVALID when its files were changed, EXTENSION_REFUSED or EXTENSION_UNWRITABLE.
 */
export function rollBack(name: string, {lock, signal, judge}: Rollback): Promise<RolledBack> {
  return withLock({lock, signal}, async () => {
    const locked = await lock.read();
    const entry = locked[name];
    if (!entry?.previous)
      throw new KernelError('EXTENSION_UNKNOWN', `There is no earlier version of the extension "${name}".`, {
        hint: 'An update keeps the version before it; `gemini extensions list` shows what is installed.',
      });
    // An update that was undone must not come back unasked.
    const {previous, autoUpdate: _, ...current} = entry;
    const folder = lock.folderOf(name, previous);
    if (!isIntact(folder, previous.tree))
      throw new KernelError(
        'EXTENSION_INVALID',
        `The files of ${name} ${previous.version} in ${folder} were changed.`,
        {
          hint: `Install that version again: \`gemini extensions install ${previous.source.location}\`.`,
        },
      );
    await judge(name, previous.source);
    await lock.write({...locked, [name]: {...previous, previous: current}});
    return {name, version: previous.version, before: current.version};
  });
}
