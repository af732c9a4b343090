import type {PublicKeys} from '@gemini-kernel/admission';
import {openScope, type BundleScope} from './bundle-scope.js';
import {examineBundle, type BundleFinding} from './examine-bundle.js';
import type {OpenBundle} from './open-bundle.js';
import {rehearseRules} from './system-rules.js';
import type {Surroundings} from '../surroundings.js';

/** The current state of a bundle; `given` are keys that count besides the known ones. */
export async function verifyBundle(
  bundle: OpenBundle,
  environment: Surroundings,
  {given, scope: name}: {readonly given: PublicKeys; readonly scope: BundleScope['name']},
): Promise<readonly BundleFinding[]> {
  const scope = await openScope(environment, name);
  // The file of an earlier release pins its own trees.
  const managed =
    name === 'system'
      ? await rehearseRules(environment.installs.system, bundle.lock.name, {writer: environment.newId()})
      : scope.managed;
  const {name: bundleName} = bundle.lock;
  const applied = Object.hasOwn(scope.memory.applied, bundleName) ? scope.memory.applied[bundleName] : undefined;
  return examineBundle(bundle, {keys: {...scope.memory.keys, ...given}, managed, applied, now: new Date()});
}
