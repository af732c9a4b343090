import {dirname} from 'node:path';
import {makePrivateFolder} from './private-folder.js';
import {readText} from './read-text.js';
import {writeAtomically} from './write-atomically.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether a day has passed since this was last true, by the time in a file, which is then set: for what is looked for
 * once a day. A time in the future, and a file that says no time, count as long ago.
 */
export async function isDueToday(record: string, now: Date): Promise<boolean> {
  const last = (await readText(record).catch(() => '')).trim();
  const age = now.getTime() - Date.parse(last);
  if (age >= 0 && age < DAY_MS) return false;
  await makePrivateFolder(dirname(record));
  await writeAtomically(record, `${now.toISOString()}\n`);
  return true;
}
