import {existsSync} from 'node:fs';
import {arch as machine} from 'node:os';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {durationOf, ruleFor, type LockedDependency} from '@gemini-kernel/admission';
import {ownEntry} from '../../own-entry.js';
import {LARGEST_ARCHIVE} from '../fetch/archive-reading.js';
import {checkIntegrity} from '../fetch/integrity.js';
import {fetchBytes} from '../fetch/registry-client.js';
import {placeArchive, registryOf} from '../fetch/resolve-registry.js';
import {judgeAddress, judgeEarly, rulesOf} from '../judge/judge-rules.js';
import type {PluginPackage} from '../judge/plugin-package.js';
import type {Installer} from '../source/installer.js';
import {unpackArchive} from '../unpack/unpack-archive.js';
import {refuseForeign} from './registries-only.js';
import {nameOfPlace, resolveByNpm, type LockEntry, type WantedDependencies} from './resolve-by-npm.js';
import {resolveSimply} from './resolve-simply.js';
import {sideBySide} from './side-by-side.js';

export interface DependencyRequest {
  readonly package: PluginPackage;
  /** Becomes the place of the plugin in the store. */
  readonly folder: string;
  /** Another folder, for npm to work in. */
  readonly work: string;
  /** The dependencies as a lock names them; npm is not asked then. */
  readonly locked?: Readonly<Record<string, LockedDependency>>;
}

export interface InstalledDependencies {
  readonly dependencies: Readonly<Record<string, LockedDependency>>;
  /** Those with install scripts, which do not run. */
  readonly scripts: readonly string[];
}

/** Provided by the program, from above the store. */
const LENT = new Set(['@gemini-kernel/kernel', '@gemini-kernel/command', '@oclif/core']);

/**
 * Puts the dependencies of a plugin beside it, the same ones that npm would choose. Each archive is fetched, checked
 * against its digest and unpacked like the plugin's own; no script runs. Throws KernelError INSTALL_INCOMPLETE,
 * ARCHIVE_REFUSED, INSTALL_CHANGED and the errors of `fetchBytes`.
 */
export async function installDependencies(
  installer: Installer,
  request: DependencyRequest,
): Promise<InstalledDependencies> {
  const wanted = request.locked ? undefined : dependenciesOf(request.package);
  if (wanted && Object.keys({...wanted.dependencies, ...wanted.optionalDependencies}).length === 0)
    return {dependencies: {}, scripts: []};
  const entries: Readonly<Record<string, LockEntry>> = wanted
    ? await resolve(installer, request, wanted)
    : (request.locked ?? {});
  const chosen = Object.entries(entries).filter(([place, entry]) => place !== '' && fitsMachine(entry, installer));
  for (const [place, entry] of chosen) checkEntry(place, entry, request.package.name);
  const fetched = chosen.filter(([, {inBundle}]) => !inBundle);
  await sideBySide(fetched, (one) => placeDependency(installer, request.folder, one));
  const dependencies = Object.fromEntries(
    fetched.map(([place, {version = '', resolved, integrity}]) => [
      place,
      {version, ...(resolved ? {resolved} : {}), ...(integrity ? {integrity} : {})},
    ]),
  );
  return {
    dependencies,
    scripts: fetched.flatMap(([place, {hasInstallScript, version}]) =>
      hasInstallScript ? [`${nameOfPlace(place)} ${version ?? ''}`] : [],
    ),
  };
}

/** A simple graph is resolved here; starting npm takes longer than the rest of an installation. */
async function resolve(
  installer: Installer,
  {package: plugin, work}: DependencyRequest,
  wanted: Needed,
): Promise<Readonly<Record<string, LockEntry>>> {
  const {minReleaseAge} = ruleFor(rulesOf(installer) ?? {plugins: {}}, plugin.name);
  const age = minReleaseAge === undefined ? 0 : durationOf(minReleaseAge);
  const all: WantedDependencies = {
    plugin,
    ...wanted,
    ...(age > 0 ? {before: new Date(Math.max(0, installer.now().getTime() - age))} : {}),
  };
  return (await resolveSimply(installer, all)) ?? resolveByNpm(installer, all, work);
}

type Needed = Pick<WantedDependencies, 'dependencies' | 'optionalDependencies'>;

/** What a package needs installed beside it, without what it bundles and what the program provides. */
function dependenciesOf(own: PluginPackage): Needed {
  const {
    name,
    version,
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    bundleDependencies = [],
  } = own;
  const bundled = new Set(
    bundleDependencies === true ? Object.keys({...dependencies, ...optionalDependencies}) : bundleDependencies || [],
  );
  const pick = (some: Readonly<Record<string, string>>, isWanted: (one: string) => boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(some).filter(([one]) => !bundled.has(one) && isWanted(one)));
  const peers = pick(
    peerDependencies,
    (one) => !LENT.has(one) && ownEntry(peerDependenciesMeta, one)?.optional !== true,
  );
  const wanted = {
    dependencies: {...peers, ...pick(dependencies, (one) => !Object.hasOwn(optionalDependencies, one))},
    optionalDependencies: pick(optionalDependencies, () => true),
  };
  refuseForeign({name, version, ...wanted});
  return wanted;
}

function checkEntry(place: string, {version, resolved, integrity, link, inBundle}: LockEntry, plugin: string): void {
  const fail = (reason: string): never => {
    throw new KernelError('INSTALL_INCOMPLETE', `${plugin} needs ${nameOfPlace(place)} ${version ?? ''}, ${reason}.`, {
      hint: 'A plugin can include such a package: list it in bundleDependencies in its package.json.',
    });
  };
  if (!/^node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*(\/node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*)*$/.test(place))
    fail(`whose place ${place} is not valid`);
  if (place === `node_modules/${plugin}`) fail("which has the plugin's own name");
  if (inBundle) return;
  if (link || !resolved || !/^https?:/.test(resolved))
    fail(`which comes from ${resolved ?? 'nowhere'} and not from a registry, so its content cannot be pinned`);
  if (!integrity) fail('for which no registry names a digest');
}

/** Optional parts for other machines are skipped. */
function fitsMachine({optional, os, cpu, libc}: LockEntry, {environment: {platform}}: Installer): boolean {
  if (!optional) return true;
  return (
    fits(os, platform) &&
    fits(cpu, machine()) &&
    (platform !== 'linux' || fits(libc, existsSync('/etc/alpine-release') ? 'musl' : 'glibc'))
  );
}

function fits(list: readonly string[] | undefined, own: string): boolean {
  if (!list || list.length === 0) return true;
  if (list.includes(`!${own}`)) return false;
  const wanted = list.filter((one) => !one.startsWith('!'));
  return wanted.length === 0 || wanted.includes(own) || wanted.includes('any');
}

async function placeDependency(
  installer: Installer,
  folder: string,
  [place, {version = '', resolved = '', integrity = ''}]: readonly [string, LockEntry],
): Promise<void> {
  const what = `${nameOfPlace(place)} ${version}`;
  const options = await installer.npm();
  const url = placeArchive(new URL(resolved), registryOf(nameOfPlace(place), options), options);
  // Rules about sources apply to dependencies too.
  judgeEarly(installer, {source: {type: 'registry', registry: url, wanted: version}, what});
  const bytes = await fetchBytes({
    url,
    options,
    what,
    limit: LARGEST_ARCHIVE,
    signal: installer.signal,
    integrity,
    judge: (hop) => judgeAddress(installer, {url: hop, what, kinds: ['tarball', 'registry']}),
  });
  checkIntegrity(bytes, integrity, {what, by: 'the lock'});
  await unpackArchive(bytes, join(folder, ...place.split('/')), {signal: installer.signal});
}
