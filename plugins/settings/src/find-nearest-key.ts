import {distanceBetween} from '@gemini-kernel/kernel';
import {joinKey} from './key-path.js';
import {visitKeys, type SettingSchema} from './settings-schema.js';

/** The known key closest to what was written (whole, or by its last name), or undefined when none is close. */
export function findNearestKey(written: string, schema: SettingSchema): string | undefined {
  const wanted = written.toLowerCase();
  const lastName = wanted.split('.').at(-1) ?? '';
  let nearest: {key: string; distance: number} | undefined;
  visitKeys(schema, (path, child) => {
    if (child.properties) return;
    const key = joinKey(path);
    // Another section costs a little, so that the right one wins among equals.
    const distance = Math.min(
      distanceBetween(wanted, key.toLowerCase()),
      distanceBetween(lastName, path.at(-1)?.toLowerCase() ?? '') + 0.5,
    );
    if (!nearest || distance < nearest.distance) nearest = {key, distance};
  });
  return nearest && nearest.distance <= Math.max(2, lastName.length / 3) ? nearest.key : undefined;
}

/** Whether a key is likely to be a slip of the finger: a letter or two from a known one. */
export function isNear(written: string, known: string): boolean {
  return distanceBetween(written.toLowerCase(), known.toLowerCase()) <= 2;
}
