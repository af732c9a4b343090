import {createRequire} from 'node:module';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {omitUndefined} from '../../omit-undefined.js';
import type {NpmOptions} from '../source/read-npm-options.js';
import {hostOf} from './network-faults.js';
import {fetchBytes} from './registry-client.js';

/** One version of a package, as its registry describes it. */
export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
  readonly registry: string;
  readonly archive: string;
  /** An SRI text; every archive of a registry has one. */
  readonly integrity: string;
  readonly published?: Date;
  /** The version that would have been chosen if it were old enough. */
  readonly tooYoung?: string;
  readonly deprecated?: string;
  /** The address of its attestations, as the registry gives it. */
  readonly attestations?: string;
}

export interface ResolveRequest {
  readonly name: string;
  readonly wanted: string;
  readonly options: NpmOptions;
  /** Versions published later are ignored. */
  readonly before?: Date;
  readonly signal: AbortSignal;
  /** As in `fetchBytes`. */
  judge?(url: string): void;
}

interface VersionEntry {
  readonly version: string;
  readonly deprecated?: unknown;
  readonly dist?: {
    readonly tarball?: string;
    readonly integrity?: string;
    readonly shasum?: string;
    readonly attestations?: {readonly url?: unknown} | null;
  };
}

/** What a registry says about a package; only its name is certain to be present. */
export interface Packument {
  readonly name: string;
  readonly versions?: Readonly<Record<string, VersionEntry>>;
  readonly time?: Readonly<Record<string, string>>;
}

type PickManifest = (
  packument: Packument,
  wanted: string,
  options: {readonly before?: Date; readonly includeStaged: false},
) => VersionEntry;

const LIMIT = 64 * 1024 * 1024;

/** The registry that a package comes from: that of its scope, or the general one. */
export function registryOf(name: string, options: NpmOptions): string {
  const scoped = name.startsWith('@') ? options[`${name.split('/')[0] ?? ''}:registry`] : undefined;
  const registry = typeof scoped === 'string' ? scoped : options.registry;
  return registry.endsWith('/') ? registry : `${registry}/`;
}

/**
 * Asks the registry of a package for everything it knows about it. Throws the errors of `fetchBytes`, and KernelError
 * INSTALL_UNREACHABLE for an answer that is empty or about another package.
 */
export async function fetchPackument({
  name,
  ...request
}: Pick<ResolveRequest, 'name' | 'options' | 'signal' | 'judge'> & {readonly accept: string}): Promise<Packument> {
  const registry = registryOf(name, request.options);
  const bytes = await fetchBytes({...request, url: `${registry}${name.replace('/', '%2f')}`, what: name, limit: LIMIT});
  return parsePackument(bytes, name, registry);
}

/** Looks up a version. Throws KernelError INSTALL_MISSING when no version fits, and the errors of `fetchBytes`. */
export async function resolveFromRegistry({
  name,
  wanted,
  options,
  before,
  signal,
  judge,
}: ResolveRequest): Promise<ResolvedPackage> {
  const registry = registryOf(name, options);
  const packument = await fetchPackument({
    name,
    options,
    signal,
    accept: 'application/json',
    ...omitUndefined({judge}),
  });
  const pick = createRequire(import.meta.url)('npm-pick-manifest') as PickManifest;
  const newest = pickVersion(() => pick(packument, wanted, {includeStaged: false}), packument, {wanted, registry});
  const taken = before
    ? pickVersion(() => pick(packument, wanted, {before, includeStaged: false}), packument, {wanted, registry, before})
    : newest;
  const {archive, integrity} = archiveOf(taken, {name, registry, options});
  const published = packument.time?.[taken.version];
  const {deprecated} = taken;
  const {attestations} = taken.dist ?? {};
  return {
    name,
    version: taken.version,
    registry,
    archive,
    integrity,
    ...(published && !Number.isNaN(Date.parse(published)) ? {published: new Date(published)} : {}),
    ...(newest.version === taken.version ? {} : {tooYoung: newest.version}),
    ...(typeof deprecated === 'string' && deprecated !== '' ? {deprecated} : {}),
    ...(typeof attestations?.url === 'string' ? {attestations: attestations.url} : {}),
  };
}

/**
 * Where the archive of a version is, and its digest. Throws KernelError INSTALL_MISSING when the registry does not say.
 */
function archiveOf(
  {version, dist}: VersionEntry,
  {name, registry, options}: {readonly name: string; readonly registry: string; readonly options: NpmOptions},
): Pick<ResolvedPackage, 'archive' | 'integrity'> {
  const {tarball, integrity, shasum} = dist ?? {};
  const sri = integrity ?? (shasum ? `sha1-${Buffer.from(shasum, 'hex').toString('base64')}` : undefined);
  if (!tarball || !sri)
    throw new KernelError(
      'INSTALL_MISSING',
      `${hostOf(registry)} does not say where the archive of ${name} ${version} is, or what its digest is.`,
    );
  return {archive: placeArchive(new URL(tarball, registry), registry, options), integrity: sri};
}

/** A mirror often repeats what the public registry says; the archive is still fetched from the mirror. */
export function placeArchive(address: URL, registry: string, options: NpmOptions): string {
  const rule = options['replaceRegistryHost'];
  const isReplaced =
    rule === 'always' ||
    (rule !== 'never' &&
      address.host === (rule === 'npmjs' || rule === undefined ? new URL(options.publicRegistry).host : rule));
  if (!isReplaced) return address.href;
  const {protocol, host, pathname} = new URL(registry);
  const path = address.pathname.startsWith(pathname)
    ? address.pathname
    : `${pathname.replace(/\/$/, '')}${address.pathname}`;
  return `${protocol}//${host}${path}${address.search}`;
}

function parsePackument(bytes: Buffer, name: string, registry: string): Packument {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Packument | null;
    if (value?.name !== name) throw new Error(`it describes ${JSON.stringify(value?.name)}`);
    return value;
  } catch (cause) {
    throw new KernelError(
      'INSTALL_UNREACHABLE',
      `${hostOf(registry)} did not answer like a registry when asked for ${name}: ${messageOf(cause)}.`,
      {cause, hint: 'Check the registry: npm config get registry'},
    );
  }
}

interface PickContext {
  readonly wanted: string;
  readonly registry: string;
  readonly before?: Date;
}

function pickVersion(
  pick: () => VersionEntry,
  {name, versions}: Packument,
  {wanted, registry, before}: PickContext,
): VersionEntry {
  try {
    return pick();
  } catch (cause) {
    const {code} = cause as {readonly code?: string};
    if (!['ETARGET', 'ENOVERSIONS', 'E403'].includes(code ?? '')) throw cause;
    const known =
      Object.keys(versions ?? {})
        .slice(-5)
        .reverse()
        .join(', ') || 'none';
    const when = before
      ? ` published before ${before.toISOString().slice(0, 16).replace('T', ' ')}, as the administrator requires`
      : '';
    throw new KernelError(
      'INSTALL_MISSING',
      `${hostOf(registry)} has no version of ${name} that satisfies ${wanted}${when}.`,
      {cause, hint: `Its latest version is ${known}.`},
    );
  }
}
