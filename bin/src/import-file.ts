import {relative, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {ImportFile} from '@gemini-kernel/kernel/host';

/** Modules that the bundle carries, by their path below the program, each evaluated when first asked for. */
export type Carried = Readonly<Record<string, () => ReturnType<ImportFile>>>;

/** Gives a carried module from the bundle and every other one from its file, once `prepare` is done with its path. */
export function createImport(root: string, carried: Carried, prepare: (file: string) => Promise<void>): ImportFile {
  return async (file) => {
    const load = carried[relative(root, file).split(sep).join('/')];
    if (load) return load();
    await prepare(file);
    return import(pathToFileURL(file).href) as ReturnType<ImportFile>;
  };
}
