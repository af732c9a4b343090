import {readRegular, type ReadOptions} from './read-regular.js';
import {readRegularSync} from './read-regular-sync.js';

/** The text of a regular file, taken as UTF-8. Throws as `readRegular` does. */
export async function readText(path: string, options?: ReadOptions): Promise<string> {
  return (await readRegular(path, options)).toString('utf8');
}

/** The same, by the thread that asks. Throws as `readRegularSync` does. */
export function readTextSync(path: string, limit?: number): string {
  return readRegularSync(path, limit).toString('utf8');
}
