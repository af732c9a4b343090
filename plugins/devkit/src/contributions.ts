import {readdir} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {brandOf} from '@gemini-kernel/kernel/host';

/** Folders below dist whose files are contributions. */
export const FOLDERS = ['tools', 'services', 'hooks', 'listeners', 'commands', 'flags', 'settings'] as const;

/** One built file of a contribution folder, imported. */
export interface Found<T> {
  /** Relative to the plugin, with forward slashes and a leading `./`. */
  readonly module: string;
  readonly value: T;
}

/** Imports the default exports of a contribution folder, in the order of their names; empty for an absent folder. */
export async function importFolder<T>(
  root: string,
  folder: string,
  brand: string | undefined,
): Promise<readonly Found<T>[]> {
  const found: Found<T>[] = [];
  for (const file of await listModules(join(root, 'dist', folder))) {
    const module = `./${relative(root, file).split(sep).join('/')}`;
    const {default: value} = await importBuilt<T>(file, module);
    if (value === undefined || (brand !== undefined && brandOf(value) !== brand)) {
      throw new KernelError('BUILD_INVALID', `${module} has no default export that is a ${brand ?? 'command'}.`, {
        hint: `A file in src/${folder}/ exports one contribution: see docs/write-a-plugin.md.`,
      });
    }
    found.push({module, value});
  }
  return found;
}

/** Throws KernelError BUILD_INVALID when the code of the plugin throws. */
export async function importBuilt<T>(file: string, module: string): Promise<{readonly default?: T}> {
  try {
    return (await import(pathToFileURL(file).href)) as {readonly default?: T};
  } catch (cause) {
    throw new KernelError('BUILD_INVALID', `Cannot import ${module}: ${messageOf(cause)}`, {
      cause,
      hint: 'The build imports each contribution once. On import, only definitions may run.',
    });
  }
}

/** The compiled modules below a folder, by name; empty when it is absent. */
export async function listModules(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true}).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
