import {pathToFileURL} from 'node:url';
import {brandOf, type Brand} from '../contract/brand.js';
import type {Catalog} from '../catalog/catalog.js';
import {Deadline} from './deadline.js';
import {KernelError, messageOf} from '../contract/error.js';
import type {ServiceLookup} from '../contract/service.js';

const LOAD_MS = 10_000;

/** Imports one contribution, once, and checks that it is what the manifest says. Throws KernelError PLUGIN_BROKEN. */
export type Load = (
  entry: {readonly plugin: string; readonly module: string},
  kind: Brand | 'command',
  lookup: ServiceLookup,
) => Promise<unknown>;

/** Gives a contribution whose code runs elsewhere; undefined for one that is to be imported. */
export type Elsewhere = (...given: Parameters<Load>) => Promise<unknown> | undefined;

/** Gives the module in a file; a host that carries plugins in itself has its own way. */
export type ImportFile = (file: string) => Promise<{readonly default?: unknown}>;

/** What a host adds to the advice of the kernel, by error code. */
export type Hints = Readonly<Record<string, string>>;

/** Imports a file as Node does. */
export const importFromDisk: ImportFile = (file) => import(pathToFileURL(file).href) as ReturnType<ImportFile>;

interface LoadOptions {
  readonly importFile?: ImportFile | undefined;
  readonly elsewhere?: Elsewhere | undefined;
  readonly hints: Hints;
}

/** Makes the one loader of a kernel. */
export function createLoad(catalog: Catalog, {importFile = importFromDisk, elsewhere, hints}: LoadOptions): Load {
  const loaded = new Map<string, Promise<unknown>>();
  const importDefault = async (plugin: string, file: string, kind: Brand | 'command'): Promise<unknown> => {
    try {
      const module = await new Deadline(`Importing ${file}`, LOAD_MS, undefined).race(() => importFile(file));
      const isKind = kind === 'command' ? typeof module.default === 'function' : brandOf(module.default) === kind;
      if (!isKind) throw new Error(`Its default export is not a ${kind}.`);
      return module.default;
    } catch (cause) {
      throw brokenPlugin({plugin, file, cause, hints});
    }
  };
  const importOnce = (...[entry, kind]: Parameters<Load>): Promise<unknown> => {
    const file = catalog.fileOf(entry);
    const known = loaded.get(file) ?? importDefault(entry.plugin, file, kind);
    loaded.set(file, known);
    return known;
  };
  return (...given) => {
    const other = elsewhere?.(...given);
    return other ? other.then((found) => found ?? importOnce(...given)) : importOnce(...given);
  };
}

/** The advice of the kernel, and what the host adds to it. */
export function advise(own: string, more: string | undefined): string {
  return more === undefined ? own : `${own} ${more}`;
}

interface Broken {
  readonly plugin: string;
  readonly file: string;
  readonly cause: unknown;
  readonly hints: Hints;
}

/** The error that names a plugin whose file cannot be used. */
export function brokenPlugin({plugin, file, cause, hints}: Broken): KernelError {
  const hint = advise(`Update, rebuild or uninstall ${plugin}.`, hints['PLUGIN_BROKEN']);
  return new KernelError('PLUGIN_BROKEN', `${plugin} is broken: cannot load ${file}: ${messageOf(cause)}`, {
    cause,
    hint,
  });
}
