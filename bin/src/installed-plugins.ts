import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {findRefusal, mustProve, readManifest, type ManagedReading} from '@gemini-kernel/admission/start';
import {messageOf, type CatalogPlugin, type Manifest, type Refusal} from '@gemini-kernel/kernel/host';
import type {OclifEntry} from './catalog-file.js';
import {openTree, readChecked} from './checked-tree.js';
import {listLocked, type Listed, type Scope} from './list-locked.js';

/** An installed plugin that may load once its files are found to be those it was locked with. */
export interface InstalledPlugin extends CatalogPlugin {
  readonly scope: Scope;
  /** The bundle it came with. */
  readonly bundle?: string;
  readonly proof?: {
    /** The folder in a store. */
    readonly place: string;
    readonly tree: string;
    /** Whether nothing that was noted before counts. */
    readonly always: boolean;
  };
}

export interface Found {
  readonly plugins: readonly InstalledPlugin[];
  readonly commands: readonly OclifEntry[];
  readonly refused: readonly Refusal[];
  /** Why the administrator's lock cannot be read. */
  readonly fault?: string;
  /** Why the person's lock cannot be read. */
  readonly broken?: string;
  /** Whether a tree was not what its lock says: it may be repaired where no mark of a catalog shows it. */
  readonly isSpoiled: boolean;
}

export interface FindParts {
  readonly installs: InstallPlaces;
  readonly managed: ManagedReading;
  readonly frozen: boolean;
  /** The note of what was seen of a tree, where such a note counts. */
  readonly record?: (place: string) => string;
}

/** Both are written by `gemini plugins build`; without them a package is no plugin of this program. */
const MANIFESTS = ['gemini.plugin.json', 'oclif.manifest.json'];

/**
 * Every plugin of the locks that are in force: the administrator's, then the project's, then the person's. What may not
 * load, or cannot be read, is refused with the reason.
 */
export async function findInstalled(parts: FindParts): Promise<Found> {
  const schemas = join(parts.installs.program, 'manifests', 'schemas');
  const schema = JSON.parse(readFileSync(join(schemas, 'plugin.schema.json'), 'utf8')) as Record<string, unknown>;
  const lockSchema = JSON.parse(readFileSync(join(schemas, 'plugins-lock.schema.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const {listed, refused, fault, broken} = await listLocked(parts, lockSchema);
  const plugins: InstalledPlugin[] = [];
  const commands: OclifEntry[] = [];
  let isSpoiled = false;
  for (const one of listed) {
    try {
      const unbuilt = describeUnbuilt(one);
      if (unbuilt) throw new Error(unbuilt);
      const read = await createReader(one, parts).catch((error: unknown) => {
        isSpoiled = true;
        throw error;
      });
      const manifest = await readManifest(one.root, schema, read);
      if (manifest.name !== one.name) throw new Error(`its manifest says it is ${manifest.name}`);
      const reason = await findRefusal(
        {root: one.root, manifest, locked: one.locked, isProven: one.scope === 'system'},
        {reserved: parts.installs.reserved, managed: parts.managed, frozen: parts.frozen},
      );
      if (reason) throw new Error(reason);
      commands.push(onlyListed(await readOclifEntry(one.root, one.place ? 'user' : 'link', read), manifest));
      plugins.push(admitted(one, manifest, parts.managed));
    } catch (error) {
      refused.push({name: one.name, root: one.root, reason: messageOf(error)});
    }
  }
  return {plugins, commands, refused, isSpoiled, ...(fault ? {fault} : {}), ...(broken ? {broken} : {})};
}

/** What says what a plugin is, is held against its lock like its code. */
async function createReader(
  {place: root, locked: {tree}}: Listed,
  {record}: FindParts,
): Promise<(path: string) => Promise<Uint8Array>> {
  if (root === undefined || tree === undefined) return readRegular;
  const known = record?.(root);
  const opened = await openTree({root, tree, ...(known === undefined ? {} : {record: known})});
  return (path) => readChecked(opened, path);
}

function admitted(
  {name, scope, locked, root, place}: Listed,
  manifest: Manifest,
  managed: ManagedReading,
): InstalledPlugin {
  // The administrator's store cannot be changed by who runs this.
  const proof =
    place && locked.tree
      ? {place, tree: locked.tree, always: scope !== 'system' && mustProve(name, managed)}
      : undefined;
  const {source} = locked;
  return {
    root,
    origin: place ? 'user' : 'link',
    scope,
    manifest,
    ...(!place && locked.isolation === 'process' ? {isolated: true as const} : {}),
    ...(source.type === 'bundle' ? {bundle: source.bundle} : {}),
    ...(locked.replaces ? {replaces: locked.replaces} : {}),
    ...(proof ? {proof} : {}),
  };
}

/** Why a package is no plugin of this program yet, and what to do about it. */
function describeUnbuilt({name, root, place: isCopy}: Listed): string | undefined {
  if (!existsSync(root)) {
    return `its folder ${root} is gone; run gemini plugins ${isCopy ? 'uninstall' : 'unlink'} ${name}`;
  }
  const missing = MANIFESTS.find((file) => !existsSync(join(root, file)));
  if (!missing) return undefined;
  if (!isCopy) return `it has no ${missing}; run gemini plugins build ${root}`;
  return (
    `it has no ${missing}, which every plugin of gemini is packed with; its author runs gemini plugins build before ` +
    'npm pack'
  );
}

/** A command that the plugin's own manifest does not list was never held against those of others. */
function onlyListed(entry: OclifEntry, {commands}: Manifest): OclifEntry {
  const listed = Object.entries(entry.manifest.commands).filter(([key]) => commands.some(({id}) => id === key));
  return {...entry, manifest: {...entry.manifest, commands: Object.fromEntries(listed)}};
}

/** Reads what oclif needs of a plugin, without its code; `read` gives the bytes of a file. */
export async function readOclifEntry(
  root: string,
  type: OclifEntry['type'],
  read: (path: string) => Promise<Uint8Array> = readRegular,
): Promise<OclifEntry> {
  const [file, manifestFile] = [join(root, 'package.json'), join(root, 'oclif.manifest.json')];
  const pjson = (await readJson(file, read)) as {name: string; version: string; oclif?: unknown; type?: string};
  const manifest = (await readJson(manifestFile, read)) as OclifEntry['manifest'];
  const {name, version} = pjson;
  return {name, version, root, type, pjson: {name, version, type: pjson.type, oclif: pjson.oclif ?? {}}, manifest};
}

async function readJson(path: string, read: (path: string) => Promise<Uint8Array>): Promise<unknown> {
  try {
    return JSON.parse(String(await read(path)));
  } catch (cause) {
    throw new Error(`cannot read ${path}: ${messageOf(cause)}`, {cause});
  }
}
