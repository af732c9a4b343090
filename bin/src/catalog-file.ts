import {join, resolve} from 'node:path';
import {readTextSync} from '@gemini-kernel/files';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {JSONSchema} from '@gemini-kernel/kernel';
import type {CatalogPlugin, Refusal} from '@gemini-kernel/kernel/host';

/** One plugin as oclif wants to know it, for help and for commands that take oclif's own path. */
export interface OclifEntry {
  readonly name: string;
  readonly version: string;
  readonly root: string;
  readonly type: 'core' | 'user' | 'link';
  readonly pjson: Record<string, unknown>;
  readonly manifest: {readonly version: string; readonly commands: Record<string, Record<string, unknown>>};
}

/** `catalog.json`: the plugins of a distribution or of a user, compiled. */
export interface CatalogFile {
  readonly format: 1;
  readonly product: string;
  /** What it was made from; a user's catalog is built again when this changes. */
  readonly stamp: string;
  readonly bundle?: {
    readonly name: string;
    readonly start?: string;
    readonly prompt?: string;
    readonly settings?: ActiveBundle['settings'];
    readonly policies?: readonly string[];
  };
  /** Commands of oclif's own plugins, which no other plugin may have. */
  readonly hostCommands?: readonly string[];
  /** Of the product: the schemas of what sources list, by family. */
  readonly items?: Readonly<Record<string, JSONSchema>>;
  readonly plugins: readonly CatalogPlugin[];
  readonly refused: readonly Refusal[];
}

/** A thousand plugins with ten commands each have a few megabytes. */
const SIZE_AT_MOST = 64 * 2 ** 20;

/** Reads a compiled catalog whose plugin folders are relative to `base`. */
export function readCatalogFile(path: string): CatalogFile {
  return JSON.parse(readTextSync(path, SIZE_AT_MOST)) as CatalogFile;
}

/** The plugins of a catalog file with absolute folders. */
export function placePlugins(file: CatalogFile, base: string): readonly CatalogPlugin[] {
  return file.plugins.map((plugin) => ({...plugin, root: resolve(base, plugin.root)}));
}

/** Reads the commands beside a catalog, with absolute folders. */
export function readOclifEntries(folder: string): readonly OclifEntry[] {
  const entries = JSON.parse(readTextSync(join(folder, 'commands.json'), SIZE_AT_MOST)) as readonly OclifEntry[];
  return entries.map((entry) => ({...entry, root: resolve(folder, entry.root)}));
}
