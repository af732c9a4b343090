import {relative, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {ImportFile} from '@gemini-kernel/kernel/host';

/** Modules that the bundle carries, by their path below the program, each evaluated when first asked for. */
export type Carried = Readonly<Record<string, () => ReturnType<ImportFile>>>;

/** Gives a carried module from the bundle; every other one `around` gets with its file and what imports it. */
export function createImport(
  root: string,
  carried: Carried,
  around: (file: string, load: () => ReturnType<ImportFile>) => ReturnType<ImportFile>,
): ImportFile {
  return (file) => {
    const load = carried[relative(root, file).split(sep).join('/')];
    return load ? load() : around(file, () => import(pathToFileURL(file).href) as ReturnType<ImportFile>);
  };
}
