import {mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {findRefusal, messageOf, readManifest, type Manifest, type Refusal} from '@gemini-kernel/kernel/host';
import {readCatalogFile, type CatalogFile, type OclifEntry} from './catalog-file.js';
import type {Places} from './places.js';

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

/** The catalog of installed and linked plugins, compiled anew when what is installed changed. Undefined when nothing is. */
export async function readUserCatalog(parts: UserCatalogParts): Promise<CatalogFile | undefined> {
  const text = readIfThere(join(parts.places.installed, 'package.json'));
  if (text === undefined) return undefined;
  const file = join(parts.places.data, 'catalog.json');
  const {plugins, fault} = listInstalled(text, parts.places.installed);
  const stamp = stampOf(parts, text, plugins);
  const known = readKnown(file);
  if (known?.stamp === stamp) return known;
  const fresh = await compileCatalog(parts, plugins, stamp, fault);
  store(file, fresh.catalog);
  store(join(dirname(file), 'commands.json'), fresh.commands);
  return fresh.catalog;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function readKnown(file: string): CatalogFile | undefined {
  try {
    return readCatalogFile(file);
  } catch {
    // Missing or damaged: it is made anew from what is installed.
    return undefined;
  }
}

function listInstalled(text: string, installed: string): {readonly plugins: readonly Installed[]; readonly fault?: string} {
  try {
    const {oclif} = JSON.parse(text) as {oclif?: {plugins?: {name: string; type: 'user' | 'link'; root?: string}[]}};
    return {plugins: (oclif?.plugins ?? []).map(({name, type, root}) => ({name, type, root: root ?? join(installed, 'node_modules', name)}))};
  } catch (error) {
    return {plugins: [], fault: messageOf(error)};
  }
}

function stampOf({product, root}: UserCatalogParts, text: string, plugins: readonly Installed[]): string {
  const manifests = plugins.map(({root: folder}) => {
    const stat = statSync(join(folder, 'gemini.plugin.json'), {throwIfNoEntry: false});
    return stat ? `${stat.mtimeMs}:${stat.size}` : 'none';
  });
  return [product, root, text, ...manifests].join('\n');
}

async function compileCatalog(parts: UserCatalogParts, plugins: readonly Installed[], stamp: string, fault: string | undefined): Promise<{catalog: CatalogFile; commands: readonly OclifEntry[]}> {
  const schema = JSON.parse(readFileSync(join(parts.root, 'manifests', 'schemas', 'plugin.schema.json'), 'utf8')) as Record<string, unknown>;
  const admitted: {root: string; origin: 'user' | 'link'; manifest: Manifest}[] = [];
  const commands: OclifEntry[] = [];
  const refused: Refusal[] = fault ? [{name: 'installed plugins', root: parts.places.installed, reason: `their package.json is not JSON: ${fault}`}] : [];
  for (const {name, type, root} of plugins) {
    try {
      const manifest = await readManifest(root, schema);
      const reason = await findRefusal(root, manifest, {reserved: parts.reserved});
      if (reason) throw new Error(reason);
      if (manifest.name !== name) throw new Error(`its manifest says it is ${manifest.name}`);
      commands.push(readOclifEntry(root, type));
      admitted.push({root, origin: type, manifest});
    } catch (error) {
      refused.push({name, root, reason: messageOf(error)});
    }
  }
  lend(parts);
  return {catalog: {format: 1, product: parts.product, stamp, plugins: admitted, refused}, commands};
}

/** Reads what oclif needs of a plugin, without its code. */
export function readOclifEntry(root: string, type: OclifEntry['type']): OclifEntry {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {name: string; version: string; oclif?: unknown; type?: string};
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as OclifEntry['manifest'];
  const {name, version} = pjson;
  return {name, version, root, type, pjson: {name, version, type: pjson.type, oclif: pjson.oclif ?? {}}, manifest};
}

/** Puts links to the host's own kernel and oclif above the installed plugins, so that a plugin without copies of its own finds them. */
function lend({places, root}: UserCatalogParts): void {
  for (const [name, target] of [['@gemini-kernel/kernel', 'kernel'], ['@oclif/core', join('node_modules', '@oclif', 'core')]] as const) {
    const link = join(places.data, 'node_modules', name);
    mkdirSync(dirname(link), {recursive: true});
    rmSync(link, {force: true});
    symlinkSync(join(root, target), link, 'junction');
  }
}

function store(path: string, value: unknown): void {
  mkdirSync(dirname(path), {recursive: true});
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value));
  renameSync(temporary, path);
}
