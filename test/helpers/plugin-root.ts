import {fileURLToPath} from 'node:url';

/** Folder of this checkout. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder of a first-party plugin, built. */
export function pluginRoot(name: string): string {
  return fileURLToPath(new URL(`../../../plugins/${name}`, import.meta.url));
}
