import {KernelError} from '@gemini-kernel/kernel';
import type {Explanation, Settings} from './contract.js';
import {findNearestKey} from './find-nearest-key.js';

/** Throws KernelError SETTING_UNKNOWN when no layer sets the key and the schema does not know it. */
export async function requireKnownKey(
  {key, layers, type, description}: Explanation,
  settings: Settings,
): Promise<void> {
  if (layers.length > 0 || type !== undefined || description !== undefined) return;
  const nearest = findNearestKey(key, await settings.schema());
  throw new KernelError('SETTING_UNKNOWN', `There is no setting ${key}.`, {
    hint: nearest ? `Did you mean ${nearest}?` : 'Run `gemini settings list --all` to see every setting.',
  });
}
