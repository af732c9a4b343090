import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {makePrivateFolderSync, type ForeignWriter} from '@gemini-kernel/files';
import type {InstallPlaces, JSONSchema} from '@gemini-kernel/kernel';
import {
  checkOwner,
  lendPackages,
  markManaged,
  readManagedRules,
  verifyTree,
  type ManagedReading,
} from '@gemini-kernel/admission/start';
import {messageOf, type Refusal} from '@gemini-kernel/kernel/host';
import {markBundles, markOf, readBundles, type AppliedBundle} from './active-bundles.js';
import {checksAreCheap} from './checked-import.js';
import {isInside, type TreePlace} from './checked-tree.js';
import {readCatalogFile, readOclifEntries, type CatalogFile, type OclifEntry} from './catalog-file.js';
import {findInstalled, type InstalledPlugin} from './installed-plugins.js';
import {warn} from './process-environment.js';
import {findUnsafeInstalls} from './unsafe-installs.js';

/** `catalog.json` of a person: what is installed, and what decides about it. */
interface InstalledCatalog extends CatalogFile {
  readonly plugins: readonly InstalledPlugin[];
  readonly bundles: readonly AppliedBundle[];
  /** Plugins of the product that an administrator has blocked by name. */
  readonly withheld: readonly string[];
  /** Plugins without which an administrator lets nothing run unattended. */
  readonly required: readonly string[];
  /** Why the rules, or a bundle, cannot be relied on. */
  readonly unreliable?: string;
  /** Why what the person installed or applied cannot be relied on. */
  readonly broken?: InstallFault;
}

export interface InstallFault {
  /** The file or folder that is at fault. */
  readonly root: string;
  readonly message: string;
  readonly hint: string;
}

export interface UserCatalogParts {
  readonly installs: InstallPlaces;
  /** Where the compiled catalog is kept, and what was seen of each tree. */
  readonly data: string;
  readonly cache: string;
  readonly home: string;
  readonly product: string;
  /** Whether only what a lock pins may load. */
  readonly frozen: boolean;
  readonly now: Date;
}

export interface UserCatalog extends Omit<InstalledCatalog, 'format' | 'stamp' | 'product'> {
  /** What only help and oclif's own commands need. */
  readCommands(): readonly OclifEntry[];
  /** The tree that a file of an installed plugin belongs to, where what runs is held against it. */
  treeOf(file: string): TreePlace | undefined;
}

/**
 * What is installed, from a catalog that is compiled anew when a lock, a rule, a bundle or a linked plugin changed;
 * each tree is held against its lock at every start. Undefined when nothing is installed and nobody has made a rule.
 * What cannot be used is left out with the reason; a catalog that cannot be kept is told and made anew by every start.
 */
export async function readUserCatalog(parts: UserCatalogParts): Promise<UserCatalog | undefined> {
  const {installs, data} = parts;
  const marks = markPlaces(installs);
  if (marks.every((mark) => mark === '' || mark === 'none')) return undefined;
  const [file, commands] = [join(data, 'catalog.json'), join(data, 'commands.json')];
  // Where an administrator decides, nothing counts that the person could have written: all of it is found out anew.
  const unsafe = findUnsafeInstalls(parts);
  const known = isManaged(marks) || unsafe ? undefined : readKnown(file);
  const stampFor = ({plugins, refused}: Pick<InstalledCatalog, 'plugins' | 'refused'>): string =>
    [
      parts.product,
      installs.program,
      String(parts.frozen),
      ...marks,
      ...plugins.map(markPlugin),
      ...refused.map(markRoot),
    ].join('\n');
  if (known && known.stamp === stampFor(known) && existsSync(commands))
    return finish(known, () => readOclifEntries(data), parts);
  const fresh = await compileCatalog(parts);
  const catalog = {...fresh.catalog, stamp: stampFor(fresh.catalog)};
  if (unsafe) return finish(withoutUser(catalog, unsafe), () => fresh.commands, parts);
  try {
    // The administrator's store is lent to when a bundle is applied there.
    lendPackages(installs.user.store, installs.program);
    store(commands, fresh.commands);
    // The catalog's stamp says that both are there, so it comes last.
    if (!fresh.isSpoiled) store(file, catalog);
  } catch (error) {
    warn(
      `What is known of the installed plugins cannot be kept in ${data}, so every start reads it anew: ` +
        `${messageOf(error)}`,
    );
  }
  return finish(catalog, () => fresh.commands, parts);
}

function markPlaces({user, system, project}: InstallPlaces): readonly string[] {
  return [
    markOf(system.lock),
    markManaged({folder: system.rules, owner: system.owner}),
    markBundles(system.bundles),
    markOf(project.lock),
    markOf(user.lock),
    markBundles(user.bundles),
  ];
}

/** The first three places are the administrator's. */
function isManaged(marks: readonly string[]): boolean {
  return marks.slice(0, 3).some((mark) => mark !== '' && mark !== 'none');
}

/** A linked plugin is built anew while it is linked; any other is held against its tree. */
function markPlugin({root, origin}: InstalledPlugin): string {
  return origin === 'link' ? markRoot({root}) : '';
}

function markRoot({root}: {readonly root: string}): string {
  return ['.', 'package.json', 'gemini.plugin.json', 'oclif.manifest.json']
    .map((name) => markOf(join(root, name)))
    .join('\n');
}

function readKnown(file: string): InstalledCatalog | undefined {
  try {
    const value = readCatalogFile(file) as InstalledCatalog | null;
    const lists: readonly unknown[] = [
      value?.plugins,
      value?.refused,
      value?.bundles,
      value?.withheld,
      value?.required,
    ];
    const isWhole =
      lists.every(Array.isArray) &&
      value?.plugins.every(
        (one: Partial<InstalledPlugin> | null) =>
          typeof one?.root === 'string' && typeof one.manifest?.name === 'string',
      );
    return isWhole && value ? value : undefined;
  } catch {
    // Missing or damaged: it is made anew from what is installed.
    return undefined;
  }
}

interface Compiled {
  readonly catalog: Omit<InstalledCatalog, 'stamp'>;
  readonly commands: readonly OclifEntry[];
  readonly isSpoiled: boolean;
}

async function compileCatalog({installs, product, frozen, cache}: UserCatalogParts): Promise<Compiled> {
  const schemaOf = (name: string): JSONSchema =>
    JSON.parse(
      readFileSync(join(installs.program, 'manifests', 'schemas', `${name}.schema.json`), 'utf8'),
    ) as JSONSchema;
  const read = await readManagedRules(
    {folder: installs.system.rules, owner: installs.system.owner},
    schemaOf('managed'),
  );
  const schema = schemaOf('bundle-lock');
  const system = await readBundles({folder: installs.system.bundles, origin: 'system', schema});
  const fault = findSystemFault(installs) ?? system.broken[0]?.reason;
  const managed: ManagedReading =
    fault === undefined || read.kind === 'unreadable'
      ? read
      : {kind: 'unreadable', reason: fault, blocked: namesOf(read, 'blocked', 'removed')};
  const user = await readBundles({folder: installs.user.bundles, origin: 'user', schema, managed});
  const record = managed.kind === 'none' ? {record: (place: string) => recordOf(place, cache)} : {};
  const {
    plugins,
    commands,
    refused,
    isSpoiled,
    fault: lockFault,
    broken: userFault,
  } = await findInstalled({installs, managed, frozen, ...record});
  const broken = describeBroken(
    userFault === undefined ? undefined : {reason: userFault, root: installs.user.lock},
    user.broken[0],
  );
  const catalog = {
    format: 1 as const,
    product,
    plugins,
    refused: [...refused, ...user.broken],
    bundles: [...user.bundles, ...system.bundles],
    withheld: managed.kind === 'unreadable' ? managed.blocked : namesOf(managed, 'blocked', 'removed'),
    required: namesOf(managed, 'required'),
    ...(broken ? {broken} : {}),
  };
  const unreliable = managed.kind === 'unreadable' ? managed.reason : lockFault;
  return {catalog: unreliable === undefined ? catalog : {...catalog, unreliable}, commands, isSpoiled};
}

/** A lock or a bundle that cannot be read may have held a guard. */
function describeBroken(
  lock: Omit<Refusal, 'name'> | undefined,
  bundle: Refusal | undefined,
): InstallFault | undefined {
  if (lock)
    return {root: lock.root, message: lock.reason, hint: 'gemini plugins rollback brings the one before it back.'};
  if (!bundle) return undefined;
  return {
    root: bundle.root,
    message: `${bundle.reason.replace(/^t/, 'T').replace(/\.$/, '')}.`,
    hint: `Apply it again, or run gemini bundle remove ${bundle.name}.`,
  };
}

/** Everything that others could have written is left out. */
function withoutUser(catalog: InstalledCatalog, {path, reason, repair}: ForeignWriter): InstalledCatalog {
  return {
    ...catalog,
    plugins: catalog.plugins.filter(({scope}) => scope === 'system'),
    bundles: catalog.bundles.filter(({origin}) => origin === 'system'),
    broken: {
      root: path,
      message: `What is installed does not load, as others may have changed it: ${path}: ${reason}.`,
      hint: `Look at what is there, then run: ${repair}`,
    },
  };
}

/** Plugins that the rules name themselves with one of these modes. */
function namesOf(managed: ManagedReading, ...modes: readonly string[]): readonly string[] {
  const named = managed.kind === 'rules' ? Object.entries(managed.rules.plugins) : [];
  return named
    .filter(([name, {mode}]) => mode !== undefined && modes.includes(mode) && !name.includes('*'))
    .map(([name]) => name);
}

/** Why what lies at the administrator's places may not be the administrator's. */
function findSystemFault({system}: InstallPlaces): string | undefined {
  try {
    for (const path of [system.lock, system.store, system.bundles])
      if (existsSync(path)) [path, dirname(path)].forEach((one) => checkOwner(one, system.owner));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Leaves out what is no longer what it was, or whose bundle has expired. */
async function finish(
  kept: InstalledCatalog,
  readCommands: UserCatalog['readCommands'],
  {cache, now}: UserCatalogParts,
): Promise<UserCatalog> {
  const refused: Refusal[] = [...kept.refused];
  const plugins: InstalledPlugin[] = [];
  for (const plugin of kept.plugins) {
    const {
      root,
      manifest: {name},
    } = plugin;
    const reason = findExpired(plugin, kept.bundles, now) ?? (await findChange(plugin, cache));
    if (reason) refused.push({name, root, reason});
    else plugins.push(plugin);
  }
  return {...kept, plugins, refused, readCommands, treeOf: (file) => findTree(plugins, file, cache)};
}

/**
 * A bundle decides about what came with it, and a person's about nothing of the administrator's. An invalid date has
 * passed.
 */
function findExpired(
  {scope, bundle}: InstalledPlugin,
  bundles: readonly AppliedBundle[],
  now: Date,
): string | undefined {
  if (bundle === undefined) return undefined;
  const origin = scope === 'system' ? 'system' : 'user';
  if (!bundles.some((one) => one.name === bundle && one.origin === origin))
    return `its bundle ${bundle} is not in force; apply it again`;
  const expired = bundles.find(
    (one) =>
      one.name === bundle && one.origin === origin && one.expires !== undefined && !(new Date(one.expires) > now),
  );
  return expired && `its bundle ${expired.name} expired on ${expired.expires ?? ''}; apply a newer one`;
}

function findChange({proof, manifest}: InstalledPlugin, cache: string): Promise<string | undefined> {
  if (!proof) return Promise.resolve(undefined);
  const {place} = proof;
  if (!existsSync(place))
    return Promise.resolve(`its folder ${place} is gone; run gemini plugins uninstall ${manifest.name}`);
  return verifyTree({...treePlaceOf(proof, cache), writer: String(process.pid)});
}

/** The note of what was seen of a tree when it was last hashed. */
function recordOf(place: string, cache: string): string {
  return join(cache, 'trees', `${basename(place)}.seen`);
}

function treePlaceOf({place, tree, always}: NonNullable<InstalledPlugin['proof']>, cache: string): TreePlace {
  return {root: place, tree, ...(always ? {} : {record: recordOf(place, cache)})};
}

/** An administrator's word is held at any price; a person's where it costs no thread (see docs/decisions/0036). */
function findTree(plugins: readonly InstalledPlugin[], file: string, cache: string): TreePlace | undefined {
  const proof = plugins.find((one) => one.proof && isInside(one.proof.place, file))?.proof;
  return proof && (proof.always || checksAreCheap) ? treePlaceOf(proof, cache) : undefined;
}

function store(path: string, value: unknown): void {
  makePrivateFolderSync(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value), {mode: 0o600});
  renameSync(temporary, path);
}
