import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {readManifest, type LockedPlugin} from '@gemini-kernel/admission';
import {messageOf, type Manifest} from '@gemini-kernel/kernel/host';
import {omitUndefined} from '../../omit-undefined.js';
import {listInstalled, type LockedPlace} from '../commit/list-installed.js';
import {notInstalled} from '../commit/not-installed.js';
import {describeOrigin} from '../judge/describe-plugin.js';
import {explainCapability, type ExplainedCapability} from '../judge/explain-capability.js';
import type {Installer} from '../source/installer.js';
import {auditUses, type AuditedUses, type UseSources} from './audit-uses.js';

/** A dependency of a plugin, as it is on disk. */
export interface AuditedDependency {
  readonly name: string;
  readonly version: string;
  readonly place: string;
  readonly from?: string;
  readonly integrity?: string;
  readonly license?: string;
}

export interface AuditedPlugin {
  readonly name: string;
  readonly version: string;
  readonly scope: LockedPlace['scope'];
  readonly from: string;
  readonly source: LockedPlugin['source'];
  readonly integrity?: string;
  readonly tree?: string;
  readonly signer?: string;
  readonly provenance?: LockedPlugin['provenance'];
  readonly approved?: LockedPlugin['approved'];
  readonly license?: string;
  /** What it declares, and the contributions that show what it uses. */
  readonly capabilities: {
    readonly declared: readonly string[];
    /** What it may ask for when it needs it. */
    readonly optional?: readonly string[];
    readonly undeclared: readonly string[];
    readonly isSameAsLocked: boolean;
    /** What it declares, in words. */
    readonly explained: readonly ExplainedCapability[];
  };
  /** What it did, against what it declares. */
  readonly did: AuditedUses;
  readonly replaces: readonly string[];
  readonly contributions: Readonly<Record<'tools' | 'services' | 'listeners' | 'commands' | 'hooks' | 'flags', number>>;
  readonly dependencies: readonly AuditedDependency[];
  /** Why its files could not be read. */
  readonly fault?: string;
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  read: ['fs:read'],
  search: ['fs:read'],
  edit: ['fs:write'],
  delete: ['fs:write'],
  move: ['fs:write'],
  execute: ['process'],
  fetch: ['net:'],
};

/**
 * Everything known about each installed plugin, or the one that is named, and its dependencies, without a network.
 * Throws KernelError PLUGIN_NOT_INSTALLED.
 */
export async function auditPlugins(
  installer: Installer,
  sources: UseSources,
  named?: string,
): Promise<readonly AuditedPlugin[]> {
  const all = await listInstalled(installer.environment, installer.schemas.lock);
  const places = all.filter(({name}) => named === undefined || name === named);
  if (named !== undefined && places.length === 0) throw notInstalled(named, [...new Set(all.map(({name}) => name))]);
  return Promise.all(places.map((place) => auditOne(installer, sources, place)));
}

async function auditOne(
  {schemas}: Installer,
  sources: UseSources,
  {name, scope, locked, root, place}: LockedPlace,
): Promise<AuditedPlugin> {
  const read = await readManifest(root, schemas.plugin).then(
    (manifest) => ({manifest}),
    (error: unknown) => ({fault: messageOf(error)}),
  );
  const manifest = 'manifest' in read ? read.manifest : undefined;
  const declared = manifest?.capabilities ?? locked.capabilities;
  const {version, source, integrity, tree, signer, provenance, approved, replaces = []} = locked;
  return {
    name,
    version,
    scope,
    from: describeOrigin(locked),
    source,
    ...omitUndefined({integrity, tree, signer, provenance, approved, license: await licenseOf(root)}),
    capabilities: {
      declared,
      ...(manifest?.optional ? {optional: manifest.optional} : {}),
      undeclared: manifest ? findUndeclared(manifest, [...declared, ...(manifest.optional ?? [])]) : [],
      isSameAsLocked: [...declared].sort().join(' ') === [...locked.capabilities].sort().join(' '),
      explained: declared.map(explainCapability),
    },
    did: await auditUses({name, version, declared, ...(source.type === 'link' ? {link: linkOf(locked)} : {})}, sources),
    replaces,
    contributions: countContributions(manifest),
    dependencies: await Promise.all(
      Object.entries(locked.dependencies ?? {}).map(([at, dependency]) => auditDependency(place ?? '', at, dependency)),
    ),
    ...('fault' in read ? {fault: read.fault} : {}),
  };
}

function linkOf({isolation}: LockedPlugin): {readonly isIsolated: boolean} {
  return {isIsolated: isolation === 'process'};
}

function countContributions(manifest: Manifest | undefined): AuditedPlugin['contributions'] {
  const count = (key: keyof AuditedPlugin['contributions']): number => manifest?.[key].length ?? 0;
  return {
    tools: count('tools'),
    services: count('services'),
    listeners: count('listeners'),
    commands: count('commands'),
    hooks: count('hooks'),
    flags: count('flags'),
  };
}

/** What its tools declare to use and the plugin does not declare. */
function findUndeclared({tools}: Manifest, declared: readonly string[]): readonly string[] {
  const needed = new Set(tools.flatMap(({effect}) => NEEDED[effect] ?? []));
  return [...needed]
    .filter((one) => !declared.some((has) => has === one || (one.endsWith(':') && has.startsWith(one))))
    .map((one) => (one === 'net:' ? 'net:*' : one));
}

async function auditDependency(
  place: string,
  at: string,
  {version, resolved, integrity}: NonNullable<LockedPlugin['dependencies']>[string],
): Promise<AuditedDependency> {
  const name = at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const license = await licenseOf(join(place, ...at.split('/')));
  return {name, version, place: at, ...omitUndefined({from: resolved, integrity, license})};
}

async function licenseOf(root: string): Promise<string | undefined> {
  try {
    const {license} = JSON.parse(await readText(join(root, 'package.json'))) as {license?: unknown};
    return typeof license === 'string' && license !== '' ? license : undefined;
  } catch {
    // `verify` reports missing or damaged packages; here only the licence is unknown.
    return undefined;
  }
}
