import Module, {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as oclif from '@oclif/core';
import type {ImportFile} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';
import type {OclifEntry} from './catalog-file.js';

const OCLIF_MAJOR = 4;

/** A plugin for oclif made from a catalog entry: nothing is searched for, nothing is read until a command is loaded. */
class CatalogPlugin extends oclif.Plugin {
  readonly #entry: OclifEntry;
  readonly #importFile: ImportFile;

  constructor(entry: OclifEntry, importFile: ImportFile) {
    super({root: entry.root, name: entry.name, type: entry.type});
    this.#entry = entry;
    this.#importFile = importFile;
  }

  override load(): Promise<void> {
    const {name, version, root, type, pjson, manifest} = this.#entry;
    const moduleType = pjson['type'] === 'module' ? 'module' : 'commonjs';
    const load = (id: string) => (): Promise<oclif.Command.Class> => this.findCommand(id, {must: true});
    const commands = Object.entries(manifest.commands).map(([id, command]) => ({...command, load: load(id), pluginAlias: name, pluginName: name, pluginType: type}));
    // oclif fills the same fields from files; here they come from the catalog.
    Object.assign(this, {name, alias: name, version, root, type, pjson, moduleType, manifest, commands, commandIDs: Object.keys(manifest.commands), hooks: {}, hasManifest: true, valid: true});
    return Promise.resolve();
  }

  override async findCommand(id: string, options: {must: true}): Promise<oclif.Command.Class>;
  override async findCommand(id: string, options?: {must: boolean}): Promise<oclif.Command.Class | undefined>;
  override async findCommand(id: string): Promise<oclif.Command.Class | undefined> {
    const command = this.#entry.manifest.commands[id] as {relativePath?: readonly string[]} | undefined;
    if (!command?.relativePath) return undefined;
    return identify(await this.#importFile(join(this.#entry.root, ...command.relativePath)), {id, plugin: this});
  }
}

/** The command class of a module, told who it is as oclif does. */
export function identify(module: {readonly default?: unknown}, identity: {readonly id: string; readonly plugin?: oclif.Plugin}): oclif.Command.Class {
  // A CommonJS module that was compiled from ESM has its default export one level down.
  const exported = module.default as oclif.Command.Class & {readonly default?: oclif.Command.Class};
  return Object.assign(exported.default ?? exported, identity);
}

export interface ConfigParts {
  /** Folder of this program, with its package.json read. */
  readonly root: string;
  readonly pjson: Record<string, unknown>;
  readonly host: CommandHost;
  readonly importFile: ImportFile;
  readonly entries: readonly OclifEntry[];
}

/** What oclif is started with: everything it would otherwise search for. */
export function createLoadOptions({root, pjson, host, importFile, entries}: ConfigParts): oclif.Interfaces.Options {
  const own: OclifEntry = {name: String(pjson['name']), version: String(pjson['version']), root, type: 'core', pjson, manifest: {version: String(pjson['version']), commands: {}}};
  const plugins = new Map([own, ...entries].map((entry) => [entry.name, new CatalogPlugin(entry, importFile)]));
  for (const plugin of plugins.values()) void plugin.load();
  // `gemini` is ours; oclif hands unknown options through to every command.
  return {root, pjson, plugins, gemini: host} as unknown as oclif.Interfaces.Options;
}

/** What oclif is started with to find everything by itself. */
export function createStockOptions({root, pjson, host}: Pick<ConfigParts, 'root' | 'pjson' | 'host'>): oclif.Interfaces.Options {
  return {root, pjson, gemini: host} as unknown as oclif.Interfaces.Options;
}

/** Makes `import '@oclif/core'` in a plugin's file give the copy that runs here, if the plugin's own is of the same major version. */
export function lendOclif(file: string): void {
  const cache = (Module as unknown as {_cache: Record<string, unknown>})._cache;
  const found = resolveOclif(file);
  if (found === undefined || found in cache) return;
  const module = new Module(found);
  Object.assign(module, {filename: found, loaded: true, exports: oclif});
  cache[found] = module;
}

function resolveOclif(file: string): string | undefined {
  try {
    const {resolve} = createRequire(file);
    const {version} = JSON.parse(readFileSync(resolve('@oclif/core/package.json'), 'utf8')) as {version: string};
    return version.startsWith(`${OCLIF_MAJOR}.`) ? resolve('@oclif/core') : undefined;
  } catch (error) {
    // A plugin without commands need not find oclif at all.
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

export {oclif};
