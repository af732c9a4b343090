import {joinKey} from './key-path.js';
import {visitKeys, type SettingSchema} from './settings-schema.js';

/** The known key closest to what was written (whole, or by its last name), or undefined when none is close. */
export function findNearestKey(written: string, schema: SettingSchema): string | undefined {
  const lastName = written.split('.').at(-1) ?? '';
  let nearest: {key: string; distance: number} | undefined;
  visitKeys(schema, (path, child) => {
    if (child.properties) return;
    const key = joinKey(path);
    // Another section costs a little, so that the right one wins among equals.
    const distance = Math.min(distanceBetween(written, key), distanceBetween(lastName, path.at(-1) ?? '') + 0.5);
    if (!nearest || distance < nearest.distance) nearest = {key, distance};
  });
  return nearest && nearest.distance <= Math.max(2, lastName.length / 3) ? nearest.key : undefined;
}

function distanceBetween(written: string, known: string): number {
  const [a, b] = [written.toLowerCase(), known.toLowerCase()];
  let row = Array.from({length: b.length + 1}, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      // Both rows reach from 0 to b.length.
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? a.length;
}
