import {KernelError} from '@gemini-kernel/kernel';
import type {Explanation} from './contract.js';
import {findNearestKey} from './find-nearest-key.js';
import {readSettingsSchema} from './settings-schema.js';

/** Throws KernelError SETTING_UNKNOWN when no layer sets the key and the schema does not know it. */
export async function requireKnownKey({key, layers, type, description}: Explanation): Promise<void> {
  if (layers.length > 0 || type !== undefined || description !== undefined) return;
  const nearest = findNearestKey(key, readSettingsSchema());
  throw new KernelError('SETTING_UNKNOWN', `There is no setting ${key}.`, {
    hint: nearest ? `Did you mean ${nearest}?` : 'gemini settings list --all names every setting.',
  });
}
