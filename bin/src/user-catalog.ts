import {existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {findRefusal, messageOf, readManifest, type Manifest, type Refusal} from '@gemini-kernel/kernel/host';
import {readCatalogFile, readOclifEntries, type CatalogFile, type OclifEntry} from './catalog-file.js';
import type {Places} from './places.js';
import {warn} from './process-environment.js';

/** One line of `oclif.plugins` in the package.json that oclif's installer keeps. */
interface Installed {
  readonly name: string;
  readonly type: 'user' | 'link';
  readonly root: string;
}

export interface UserCatalogParts {
  readonly places: Places;
  readonly product: string;
  /** Folder of this program. */
  readonly root: string;
  /** Names that installed plugins may not have. */
  readonly reserved: readonly string[];
}

export interface UserCatalog {
  readonly catalog: CatalogFile;
  /** What only help and oclif's own commands need. */
  readCommands(): readonly OclifEntry[];
}

/** Both are written by `gemini plugins build`; without them a package is no plugin of this program. */
const MANIFESTS = ['gemini.plugin.json', 'oclif.manifest.json'];

/**
 * The catalog of installed and linked plugins, compiled anew when what is installed changed. Undefined when nothing is.
 * What cannot be read is left out with the reason; a catalog that cannot be kept is told and made anew by every start.
 */
export async function readUserCatalog(parts: UserCatalogParts): Promise<UserCatalog | undefined> {
  const {places} = parts;
  const listing = listInstalled(places.installed);
  if (!listing) return undefined;
  const [file, commands] = [join(places.data, 'catalog.json'), join(places.data, 'commands.json')];
  const stamp = stampOf(parts, listing);
  const known = readKnown(file);
  if (known?.stamp === stamp && existsSync(commands)) return {catalog: known, readCommands: () => readOclifEntries(places.data)};
  const fresh = await compileCatalog(parts, listing, stamp);
  try {
    lend(parts);
    store(commands, fresh.commands);
    // The catalog's stamp says that both are there, so it comes last.
    store(file, fresh.catalog);
  } catch (error) {
    warn(`What is known of the installed plugins cannot be kept in ${places.data}, so every start reads it anew: ${messageOf(error)}`);
  }
  return {catalog: fresh.catalog, readCommands: () => fresh.commands};
}

function readKnown(file: string): CatalogFile | undefined {
  try {
    return readCatalogFile(file);
  } catch {
    // Missing or damaged: it is made anew from what is installed.
    return undefined;
  }
}

interface Listing {
  readonly text: string;
  readonly plugins: readonly Installed[];
  /** Why the list itself cannot be read. */
  readonly fault?: string;
}

function listInstalled(installed: string): Listing | undefined {
  let text = '';
  try {
    text = readFileSync(join(installed, 'package.json'), 'utf8');
    const {oclif} = JSON.parse(text) as {oclif?: {plugins?: {name: string; type: 'user' | 'link'; root?: string}[]}};
    return {text, plugins: (oclif?.plugins ?? []).map(({name, type, root}) => ({name, type, root: root ?? join(installed, 'node_modules', name)}))};
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    return {text, plugins: [], fault: `their package.json ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}: ${messageOf(error)}`};
  }
}

function stampOf({places, product, root}: UserCatalogParts, {text, plugins}: Listing): string {
  const ages = plugins.flatMap(({root: folder}) => ['package.json', ...MANIFESTS].map((name) => ageOf(join(folder, name))));
  return [product, root, places.installed, text, ...ages].join('\n');
}

function ageOf(path: string): string {
  try {
    const stat = statSync(path, {throwIfNoEntry: false});
    return stat ? `${stat.mtimeMs}:${stat.size}` : 'none';
  } catch (error) {
    // A folder that may not be entered; compiling says so.
    return messageOf(error);
  }
}

async function compileCatalog(parts: UserCatalogParts, {plugins, fault}: Listing, stamp: string): Promise<{catalog: CatalogFile; commands: readonly OclifEntry[]}> {
  const schema = JSON.parse(readFileSync(join(parts.root, 'manifests', 'schemas', 'plugin.schema.json'), 'utf8')) as Record<string, unknown>;
  const admitted: {root: string; origin: 'user' | 'link'; manifest: Manifest}[] = [];
  const commands: OclifEntry[] = [];
  const refused: Refusal[] = fault ? [{name: 'installed plugins', root: parts.places.installed, reason: fault}] : [];
  for (const plugin of plugins) {
    const {name, type, root} = plugin;
    try {
      const unbuilt = describeUnbuilt(plugin);
      if (unbuilt) throw new Error(unbuilt);
      const manifest = await readManifest(root, schema);
      const reason = await findRefusal(root, manifest, {reserved: parts.reserved});
      if (reason) throw new Error(reason);
      if (manifest.name !== name) throw new Error(`its manifest says it is ${manifest.name}`);
      commands.push(onlyListed(readOclifEntry(root, type), manifest));
      admitted.push({root, origin: type, manifest});
    } catch (error) {
      refused.push({name, root, reason: messageOf(error)});
    }
  }
  return {catalog: {format: 1, product: parts.product, stamp, plugins: admitted, refused}, commands};
}

/** A command that the plugin's own manifest does not list was never held against those of others. */
function onlyListed(entry: OclifEntry, {commands}: Manifest): OclifEntry {
  const listed = Object.entries(entry.manifest.commands).filter(([key]) => commands.some(({id}) => id === key));
  return {...entry, manifest: {...entry.manifest, commands: Object.fromEntries(listed)}};
}

/** Why a package is no plugin of this program yet, and what to do about it. */
function describeUnbuilt({name, type, root}: Installed): string | undefined {
  if (!existsSync(root)) return `its folder ${root} is gone; run gemini plugins ${type === 'link' ? 'unlink' : 'uninstall'} ${name}`;
  const missing = MANIFESTS.find((file) => !existsSync(join(root, file)));
  if (!missing) return undefined;
  if (type === 'link') return `it has no ${missing}; run gemini plugins build ${root}`;
  return `it has no ${missing}, which every plugin of gemini is packed with; its author runs gemini plugins build before npm pack`;
}

/** Reads what oclif needs of a plugin, without its code. */
export function readOclifEntry(root: string, type: OclifEntry['type']): OclifEntry {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {name: string; version: string; oclif?: unknown; type?: string};
  const manifest = readOclifManifest(join(root, 'oclif.manifest.json'));
  const {name, version} = pjson;
  return {name, version, root, type, pjson: {name, version, type: pjson.type, oclif: pjson.oclif ?? {}}, manifest};
}

function readOclifManifest(path: string): OclifEntry['manifest'] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as OclifEntry['manifest'];
  } catch (cause) {
    throw new Error(`cannot read ${path}: ${messageOf(cause)}`, {cause});
  }
}

/** Puts links to the host's own kernel and oclif above the installed plugins, so that a plugin without copies of its own finds them. */
function lend({places, root}: UserCatalogParts): void {
  for (const [name, target] of [['@gemini-kernel/kernel', 'kernel'], ['@oclif/core', join('node_modules', '@oclif', 'core')]] as const) {
    const link = join(dirname(places.installed), 'node_modules', name);
    const found = lstatSync(link, {throwIfNoEntry: false});
    // A folder is somebody's own copy, and a link that leads there already may be in use.
    if (found && (!found.isSymbolicLink() || leadsTo(link, join(root, target)))) continue;
    mkdirSync(dirname(link), {recursive: true});
    rmSync(link, {force: true});
    try {
      symlinkSync(join(root, target), link, 'junction');
    } catch (error) {
      // Another start has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function leadsTo(link: string, target: string): boolean {
  return existsSync(link) && realpathSync(link) === realpathSync(target);
}

function store(path: string, value: unknown): void {
  mkdirSync(dirname(path), {recursive: true});
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value));
  renameSync(temporary, path);
}
