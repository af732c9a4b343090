import Module, {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as oclif from '@oclif/core';
import {brokenPlugin, type Catalog, type ImportFile} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/command';
import {hostHints} from './host-hints.js';
import type {OclifEntry} from './catalog-file.js';
import {findIsolated} from './isolated-command.js';

const OCLIF_MAJOR = 4;

/** A plugin for oclif made from a catalog entry: nothing is searched for, nothing is read until a command is loaded. */
class CatalogPlugin extends oclif.Plugin {
  readonly #entry: OclifEntry;
  readonly #importFile: ImportFile;
  readonly #catalog: Catalog;
  readonly #host: CommandHost;

  constructor(entry: OclifEntry, {importFile, host}: Pick<ConfigParts, 'importFile' | 'host'>) {
    super({root: entry.root, name: entry.name, type: entry.type});
    this.#entry = entry;
    this.#importFile = importFile;
    this.#catalog = host.catalog;
    this.#host = host;
  }

  override load(): Promise<void> {
    const {name, version, root, type, pjson, manifest} = this.#entry;
    const moduleType = pjson['type'] === 'module' ? 'module' : 'commonjs';
    const load = (id: string) => (): Promise<oclif.Command.Class> => this.findCommand(id, {must: true});
    const owner = {pluginAlias: name, pluginName: name, pluginType: type};
    const commands = Object.entries(manifest.commands).map(([id, command]) => ({
      ...withFlags(this.#catalog, name, {...command, id}),
      load: load(id),
      ...owner,
    }));
    // oclif fills the same fields from files; here they come from the catalog.
    Object.assign(this, {
      name,
      alias: name,
      version,
      root,
      type,
      pjson,
      moduleType,
      manifest,
      commands,
      commandIDs: Object.keys(manifest.commands),
      hooks: {},
      hasManifest: true,
      valid: true,
    });
    return Promise.resolve();
  }

  override async findCommand(id: string, options: {must: true}): Promise<oclif.Command.Class>;
  override async findCommand(id: string, options?: {must: boolean}): Promise<oclif.Command.Class | undefined>;
  override async findCommand(id: string): Promise<oclif.Command.Class | undefined> {
    const command = this.#entry.manifest.commands[id] as {relativePath?: readonly string[]} | undefined;
    if (!command?.relativePath) return undefined;
    const known = this.#catalog.commands.get(id);
    const isolated = known?.plugin === this.#entry.name && (await findIsolated(known, this.#host));
    if (isolated) return Object.assign(isolated, {plugin: this});
    const file = join(this.#entry.root, ...command.relativePath);
    return importCommand(this.#importFile, file, {id, plugin: this}).catch((cause: unknown) => {
      throw brokenPlugin({plugin: this.#entry.name, file, cause, hints: hostHints});
    });
  }
}

/** The command class in a file, told who it is as oclif does. */
export async function importCommand(
  importFile: ImportFile,
  file: string,
  identity: {readonly id: string; readonly plugin?: oclif.Plugin},
): Promise<oclif.Command.Class> {
  const module = await importFile(file);
  // A CommonJS module that was compiled from ESM has its default export one level down.
  const exported = module.default as {readonly default?: unknown} | undefined;
  const found = exported?.default ?? exported;
  if (typeof found !== 'function') throw new Error('Its default export is not a command.');
  return Object.assign(found as unknown as oclif.Command.Class, identity);
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
export function createLoadOptions(parts: ConfigParts): oclif.Interfaces.Options {
  const {root, pjson, host, entries} = parts;
  const own: OclifEntry = {
    name: String(pjson['name']),
    version: String(pjson['version']),
    root,
    type: 'core',
    pjson,
    manifest: {version: String(pjson['version']), commands: {}},
  };
  const plugins = new Map([own, ...entries].map((entry) => [entry.name, new CatalogPlugin(entry, parts)]));
  for (const plugin of plugins.values()) void plugin.load();
  // `gemini` is ours; oclif hands unknown options through to every command.
  return {root, pjson, plugins, gemini: host} as unknown as oclif.Interfaces.Options;
}

/** oclif's own configuration, which it found on its own, with what only the catalog knows. */
export async function loadStockConfig({root, pjson, host}: ConfigParts): Promise<oclif.Config> {
  // What oclif would find of a person's plugins no lock vouches for.
  const config = await oclif.Config.load({
    root,
    pjson,
    userPlugins: false,
    devPlugins: false,
    gemini: host,
  } as unknown as oclif.Interfaces.Options);
  for (const plugin of config.getPluginsList()) {
    for (const command of plugin.commands) Object.assign(command, withFlags(host.catalog, plugin.name, command));
  }
  return config;
}

/** Contributed flags stand in the help of every command that takes them. */
function withFlags<T extends {readonly id: string; readonly flags?: unknown}>(
  catalog: Catalog,
  plugin: string,
  command: T,
): T {
  if (!catalog.plugins.has(plugin)) return command;
  const taken = [...catalog.flags.values()].filter(({commands}) => commands?.includes(command.id) ?? true);
  const own = Object.values((command.flags ?? {}) as Record<string, {readonly char?: string}>).map(({char}) => char);
  const contributed = taken.map(({name, description, type, char, multiple, options, commands}) => {
    const kind =
      type === 'boolean'
        ? {type, allowNo: true}
        : {type: 'option', multiple: multiple ?? false, hasDynamicHelp: false, ...(options ? {options} : {})};
    return [
      name,
      {
        name,
        description,
        ...(commands ? {} : {helpGroup: 'GLOBAL'}),
        ...kind,
        ...(char && !own.includes(char) ? {char} : {}),
      },
    ];
  });
  return {...command, flags: {...(Object.fromEntries(contributed) as object), ...(command.flags as object)}};
}

/**
 * Makes `import '@oclif/core'` in a plugin's file, and in the commands' package that it uses, give the copy that runs
 * here if theirs is of the same major version.
 */
export function lendOclif(file: string): void {
  const cache = (Module as unknown as {_cache: Record<string, unknown>})._cache;
  const command = resolveFrom(file, '@gemini-kernel/command/package.json');
  for (const from of [file, ...(command ? [command] : [])]) {
    const found = resolveOclif(from);
    if (found === undefined || found in cache) continue;
    const module = new Module(found);
    Object.assign(module, {filename: found, loaded: true, exports: oclif});
    cache[found] = module;
  }
}

function resolveOclif(from: string): string | undefined {
  const manifest = resolveFrom(from, '@oclif/core/package.json');
  if (manifest === undefined) return undefined;
  const {version} = JSON.parse(readFileSync(manifest, 'utf8')) as {version: string};
  return version.startsWith(`${OCLIF_MAJOR}.`) ? resolveFrom(from, '@oclif/core') : undefined;
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch (error) {
    // A plugin without commands need not find oclif, nor one of plain data the kernel.
    if (['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

export {oclif};
