import type {Catalog} from '@gemini-kernel/kernel/host';
import {readInstalledState} from './installed-state.js';
import {joinCatalog} from './join-catalog.js';
import type {Start} from './start.js';

/** Reads what is installed again, and gives the catalog of it with some plugins at other folders. */
export async function readAgain(start: Start, roots: ReadonlyMap<string, string>): Promise<Catalog> {
  start.installed = await readInstalledState(start);
  return joinCatalog(start.installed, {roots});
}
