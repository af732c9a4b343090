import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {holdStore} from '../install/commit/hold-store.js';
import type {Installer} from '../install/source/installer.js';
import {sweepStore} from '../install/commit/sweep-store.js';
import {systemFault} from '../system-faults.js';
import {resumeInterrupted} from './apply-bundle.js';
import {takeOutOfForce} from './bring-into-force.js';
import {claimScope, type BundleScope} from './bundle-scope.js';

/**
 * Removes an applied bundle with everything it brought. Its serial stays remembered. Throws KernelError
 * BUNDLE_UNKNOWN, BUNDLE_NOT_ADMINISTRATOR or INSTALL_UNWRITABLE.
 */
export async function removeBundle(scope: BundleScope, installer: Installer, name: string): Promise<void> {
  const {bundles} = scope.places;
  if (!/^[a-z][a-z0-9-]*$/.test(name) || ![name, `${name}+new`].some((folder) => existsSync(join(bundles, folder)))) {
    throw new KernelError(
      'BUNDLE_UNKNOWN',
      `No bundle named ${name} is applied ${scope.name === 'system' ? 'for all users' : 'for you'}.`,
      {hint: 'Run `gemini bundle status` to list applied bundles.'},
    );
  }
  await claimScope(scope);
  await holdStore(installer, async () => {
    try {
      await resumeInterrupted(scope);
      await takeOutOfForce(scope, name);
      await sweepStore(installer);
    } catch (error) {
      throw systemFault(error, {
        code: 'INSTALL_UNWRITABLE',
        act: `Cannot remove the bundle ${name}`,
        hint: 'Grant write access there, then try again.',
      });
    }
  });
}
