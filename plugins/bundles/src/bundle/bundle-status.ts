import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {ScopePlaces} from '@gemini-kernel/admission/contract';
import {messageOf} from '@gemini-kernel/kernel';
import {
  bundleSignersOf,
  readAppliedBundle,
  storeName,
  verifyTree,
  type ManagedReading,
  type PluginsLock,
} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {readIfThere} from '../install/commit/write-whole.js';
import {readMemory, type AppliedBundle, type BundleMemory} from './applied-bundles.js';
import {foldersOf} from './brought-folders.js';
import type {BundleLock} from './bundle-lock.js';
import {rulesText} from './bring-into-force.js';
import {readManaged} from './bundle-scope.js';
import {openBundle, type OpenBundle} from './open-bundle.js';
import {keysOf} from './proposal-report.js';
import {publishedSchema} from '../published-schema.js';
import {readInstalled} from './read-installed.js';
import {rulesFile} from './system-rules.js';
import type {Surroundings} from '../surroundings.js';

/** One applied bundle and its current state. */
export interface BundleState {
  readonly name: string;
  readonly scope: 'user' | 'system';
  readonly serial?: number;
  readonly description?: string;
  readonly signers: readonly string[];
  readonly applied?: string;
  readonly expires?: string;
  readonly expiry: 'none' | 'good' | 'soon' | 'expired';
  readonly plugins: readonly string[];
  readonly policies: readonly string[];
  /** Extensions and skills: `extensions/<name>`. */
  readonly brings: readonly string[];
  readonly enforced: readonly string[];
  /** What differs from its lock, as sentences. */
  readonly differences: readonly string[];
}

export interface BundleStatus {
  readonly administrator: {
    readonly kind: ManagedReading['kind'];
    readonly files: readonly string[];
    readonly reason?: string;
    readonly bundleSigners?: readonly string[];
    readonly frozen?: boolean;
  };
  readonly bundles: readonly BundleState[];
  /** Bundles that are no longer applied, and the lowest serial that may be applied again. */
  readonly remembered: readonly {readonly name: string; readonly scope: 'user' | 'system'; readonly serial: number}[];
  /** What could not be read, as sentences. */
  readonly faults: readonly string[];
}

const SOON_MS = 14 * 24 * 3_600_000;

/**
 * Reports which bundles are in force and whether they match what was signed. Never throws because something is
 * damaged: damage is what it reports.
 */
export async function readStatus(environment: Surroundings, now: Date): Promise<BundleStatus> {
  const managed = await readManaged(environment);
  const faults: string[] = [];
  const bundles: BundleState[] = [];
  const remembered: BundleStatus['remembered'][number][] = [];
  for (const scope of ['user', 'system'] as const) {
    const places = environment.installs[scope];
    const memory = await attempt(async () => readMemory(places.bundles), faults);
    const lock = await attempt(() => readInstalled(places.lock), faults);
    const names = (await attempt(() => listFolders(places.bundles), faults)) ?? [];
    for (const name of names)
      bundles.push(
        await describe({
          name,
          scope,
          places,
          environment,
          memory,
          managed,
          applied: memory?.applied[name.replace(/\+new$/, '')],
          lock,
          now,
        }),
      );
    for (const [name, {serial}] of Object.entries(memory?.applied ?? {}))
      if (!names.includes(name)) remembered.push({name, scope, serial});
  }
  return {administrator: summarise(managed), bundles, remembered, faults};
}

function summarise(managed: ManagedReading): BundleStatus['administrator'] {
  if (managed.kind === 'unreadable') return {kind: managed.kind, files: [], reason: managed.reason};
  if (managed.kind === 'none') return {kind: managed.kind, files: []};
  const {bundleSigners, frozen} = managed.rules;
  return {
    kind: managed.kind,
    files: managed.files,
    ...(bundleSigners ? {bundleSigners} : {}),
    ...(frozen ? {frozen} : {}),
  };
}

async function attempt<T>(act: () => Promise<T>, faults: string[]): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    faults.push(messageOf(error));
    return undefined;
  }
}

async function listFolders(bundles: string): Promise<readonly string[]> {
  if (!existsSync(bundles)) return [];
  return (await readdir(bundles, {withFileTypes: true}))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({name}) => name)
    .sort();
}

interface Place {
  readonly name: string;
  readonly scope: BundleState['scope'];
  readonly places: ScopePlaces;
  readonly environment: Surroundings;
  readonly memory: BundleMemory | undefined;
  readonly managed: ManagedReading;
  readonly applied: AppliedBundle | undefined;
  readonly lock: PluginsLock | undefined;
  readonly now: Date;
}

async function describe(place: Place): Promise<BundleState> {
  const {name, scope, places, applied, now} = place;
  const base = {name, scope, signers: applied?.signers ?? [], ...(applied ? {applied: applied.at} : {})};
  try {
    const bundle = await openBundle(join(places.bundles, name));
    const {serial, description, expires, plugins, policies, settings} = bundle.lock;
    const left = expires === undefined ? Infinity : Date.parse(expires) - now.getTime();
    return {
      ...base,
      serial,
      description,
      ...(expires === undefined ? {} : {expires}),
      expiry: expires === undefined ? 'none' : left > SOON_MS ? 'good' : left > 0 ? 'soon' : 'expired',
      plugins: Object.entries(plugins.installed).map(([plugin, {version}]) => `${plugin}@${version}`),
      policies: policies.map(({path}) => path),
      brings: foldersOf(bundle.lock).map(({kind, name: own}) => `${kind}/${own}`),
      enforced: keysOf(settings?.enforced),
      differences: await findDifferences(bundle, place),
    };
  } catch (error) {
    return {
      ...base,
      expiry: 'none',
      plugins: [],
      policies: [],
      brings: [],
      enforced: [],
      differences: [messageOf(error)],
    };
  }
}

/** Why a start ignores it. */
async function findFaults({name, scope, places, memory, managed}: Place): Promise<readonly string[]> {
  const held =
    scope === 'user'
      ? {memory: memory ?? {applied: {}, keys: {}}, signers: bundleSignersOf(managed)}
      : {memory: undefined};
  const {faults} = await readAppliedBundle({
    root: join(places.bundles, name),
    schema: await publishedSchema('bundle-lock'),
    ...held,
  });
  return faults.map((fault) => `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`);
}

async function findDifferences({lock}: OpenBundle, place: Place): Promise<readonly string[]> {
  const {name, scope, environment} = place;
  const found: string[] = [];
  if (name.endsWith('+new')) found.push('Applying it was interrupted. Apply it, or any other bundle, again to finish.');
  found.push(...(await findFaults(place)), ...(await findChanges(lock, place)));
  const rules = scope === 'system' ? join(environment.installs.system.rules, rulesFile(lock.name)) : undefined;
  if (rules !== undefined && (await readIfThere(rules)) !== rulesText(lock))
    found.push(`Its rules in ${rules} are missing or have changed.`);
  return found;
}

/** Plugins and folders that are not as the lock has them. */
async function findChanges(lock: BundleLock, {name, places, lock: installed}: Place): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [plugin, {version, tree}] of Object.entries(lock.plugins.installed)) {
    const now = installed && ownEntry(installed.plugins, plugin);
    if (!now) found.push(`${plugin} is no longer installed.`);
    else if (now.tree !== tree) found.push(`${plugin} ${now.version} is installed, but the lock names ${version}.`);
    const fault = await verifyTree({root: join(places.store, storeName(plugin, {version, tree})), tree});
    if (fault && now) found.push(`${plugin} ${version}: ${fault}.`);
  }
  for (const {kind, name: own, tree} of foldersOf(lock)) {
    const fault = await verifyTree({root: join(places.bundles, name, kind, own), tree});
    if (fault) found.push(`${kind}/${own}: ${fault}.`);
  }
  return found;
}
