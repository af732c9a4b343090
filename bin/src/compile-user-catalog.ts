import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {checkOwner, readManagedRules, type ManagedReading} from '@gemini-kernel/admission/start';
import {messageOf, type Refusal} from '@gemini-kernel/kernel/host';
import {readBundles, type BundleReading} from './active-bundles.js';
import type {OclifEntry} from './catalog-file.js';
import {findInstalled} from './installed-plugins.js';
import {recordOf} from './installed-trees.js';
import type {InstalledCatalog, InstallFault, UserCatalogParts} from './user-catalog.js';

export interface CompiledCatalog {
  readonly catalog: Omit<InstalledCatalog, 'stamp'>;
  readonly commands: readonly OclifEntry[];
  /** Whether a tree was not what its lock says: it may be repaired where no mark shows it. */
  readonly isSpoiled: boolean;
}

/** Compiles the catalog of what is installed: the administrator's rules, then the bundles, then the plugins. */
export async function compileUserCatalog({
  installs,
  product,
  frozen,
  cache,
}: UserCatalogParts): Promise<CompiledCatalog> {
  const {managed, system, user} = await readRules(installs);
  const record = managed.kind === 'none' ? {record: (place: string) => recordOf(place, cache)} : {};
  const found = await findInstalled({installs, managed, frozen, ...record});
  const broken = describeBroken(
    found.broken === undefined ? undefined : {reason: found.broken, root: installs.user.lock},
    user.broken[0],
  );
  const unreliable = managed.kind === 'unreadable' ? managed.reason : found.fault;
  const catalog = {
    format: 1 as const,
    product,
    plugins: found.plugins,
    refused: [...found.refused, ...user.broken],
    bundles: [...user.bundles, ...system.bundles],
    withheld: managed.kind === 'unreadable' ? managed.blocked : namesOf(managed, 'blocked', 'removed'),
    required: namesOf(managed, 'required'),
    ...(broken ? {broken} : {}),
    ...(unreliable === undefined ? {} : {unreliable}),
  };
  return {catalog, commands: found.commands, isSpoiled: found.isSpoiled};
}

interface Rules {
  readonly managed: ManagedReading;
  readonly system: BundleReading;
  readonly user: BundleReading;
}

/** The rules and the bundles. A fault at the administrator's places makes the rules unreadable. */
async function readRules(installs: InstallPlaces): Promise<Rules> {
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
  return {managed, system, user};
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
