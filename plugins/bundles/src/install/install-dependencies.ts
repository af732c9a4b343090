import {existsSync, mkdirSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {arch as machine} from 'node:os';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {durationOf, ruleFor, type LockedDependency} from '@gemini-kernel/kernel/admission';
import type {Installer} from './installer.js';
import {checkIntegrity} from './integrity.js';
import {judgeAddress, judgeEarly, rulesOf} from './judge-rules.js';
import {ownEntry} from './own-entry.js';
import type {PluginPackage} from './plugin-package.js';
import {refuseForeign, registriesOnly, type Needing} from './registries-only.js';
import {fetchBytes} from './registry-client.js';
import {placeArchive, registryOf} from './resolve-registry.js';
import {runNpm} from './run-program.js';
import {unpackArchive} from './unpack-archive.js';

export interface DependencyRequest {
  readonly package: PluginPackage;
  /** Becomes the place of the plugin in the store. */
  readonly folder: string;
  /** Another folder, for npm to work in. */
  readonly work: string;
  /** What a lock says they are; npm is not asked then. */
  readonly locked?: Readonly<Record<string, LockedDependency>>;
}

export interface InstalledDependencies {
  readonly dependencies: Readonly<Record<string, LockedDependency>>;
  /** Those that have install scripts, which do not run. */
  readonly scripts: readonly string[];
}

/** A package in npm's package-lock.json. */
interface LockEntry extends Omit<Needing, 'name'> {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
}

const LIMIT = 100 * 1024 * 1024;
const AT_ONCE = 8;
/** Lent by the program, from above the store. */
const LENT = new Set(['@gemini-kernel/kernel', '@oclif/core']);

/**
 * Puts the dependencies of a plugin beside it. npm says which they are; each archive is fetched, held against its digest and unpacked
 * like the plugin's own, and no script runs. Throws KernelError INSTALL_INCOMPLETE, ARCHIVE_REFUSED, INSTALL_CHANGED and what `fetchBytes` throws.
 */
export async function installDependencies(installer: Installer, request: DependencyRequest): Promise<InstalledDependencies> {
  const wanted = request.locked ? {} : dependenciesOf(request.package);
  const isNone = request.locked === undefined && Object.values(wanted).every((some) => Object.keys(some).length === 0);
  if (isNone) return {dependencies: {}, scripts: []};
  const entries = request.locked ?? (await askNpm(installer, request, wanted));
  const chosen = Object.entries(entries).filter(([place, entry]) => place !== '' && fitsMachine(entry, installer));
  for (const [place, entry] of chosen) checkEntry(place, entry, request.package.name);
  const fetched = chosen.filter(([, {inBundle}]) => !inBundle);
  const rest = [...fetched];
  await Promise.all(Array.from({length: AT_ONCE}, async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await placeDependency(installer, request.folder, next);
  }));
  const dependencies = Object.fromEntries(fetched.map(([place, {version = '', resolved, integrity}]) => [place, {version, ...(resolved ? {resolved} : {}), ...(integrity ? {integrity} : {})}]));
  return {dependencies, scripts: fetched.flatMap(([place, {hasInstallScript, version}]) => (hasInstallScript ? [`${nameOf(place)} ${version ?? ''}`] : []))};
}

/** What a package needs beside itself, apart from what it brings along and what the program lends. */
function dependenciesOf(own: PluginPackage): Record<string, Readonly<Record<string, string>>> {
  const {name, version, dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {}, bundleDependencies = []} = own;
  const bundled = new Set(bundleDependencies === true ? Object.keys({...dependencies, ...optionalDependencies}) : bundleDependencies || []);
  const pick = (some: Readonly<Record<string, string>>, isWanted: (one: string) => boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(some).filter(([one]) => !bundled.has(one) && isWanted(one)));
  const peers = pick(peerDependencies, (one) => !LENT.has(one) && ownEntry(peerDependenciesMeta, one)?.optional !== true);
  const wanted = {dependencies: {...peers, ...pick(dependencies, (one) => !Object.hasOwn(optionalDependencies, one))}, optionalDependencies: pick(optionalDependencies, () => true)};
  refuseForeign({name, version, ...wanted});
  return wanted;
}

async function askNpm(installer: Installer, {package: {name, version}, work}: DependencyRequest, wanted: object): Promise<Readonly<Record<string, LockEntry>>> {
  const directory = join(work, 'dependencies');
  mkdirSync(directory, {recursive: true});
  await writeFile(join(directory, 'package.json'), JSON.stringify({name: 'dependencies', version: '0.0.0', private: true, ...wanted}));
  const npm = await installer.npm();
  // What the person's configuration came down to counts, wherever it was read from; tokens stay in its files.
  const scopes = Object.entries(npm).filter(([key, value]) => /^@[^:]+:registry$/.test(key) && typeof value === 'string').map(([key, value]) => `--${key}=${String(value)}`);
  const {minReleaseAge} = ruleFor(rulesOf(installer) ?? {plugins: {}}, name);
  const age = minReleaseAge === undefined ? 0 : durationOf(minReleaseAge);
  const before = age > 0 ? [`--before=${new Date(Math.max(0, installer.now().getTime() - age)).toISOString()}`] : [];
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-workspaces', `--registry=${npm.registry}`, ...scopes, ...before];
  const {code, stderr} = await runNpm(installer, {args, directory, variables: registriesOnly(installer, npm)});
  if (code !== 0) {
    const reason = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim()).filter((line) => line !== '' && !/^(code|A complete log|\S+_logs)/.test(line));
    throw new KernelError('INSTALL_INCOMPLETE', `npm cannot find the dependencies of ${name} ${version}: ${(reason[0] ?? 'it did not say why').replace(/\.$/, '')}.`, {hint: 'What is installed stays as it is. npm view with the name of the dependency may tell more.'});
  }
  const {packages = {}} = JSON.parse(await readFile(join(directory, 'package-lock.json'), 'utf8')) as {packages?: Readonly<Record<string, LockEntry>>};
  for (const [place, entry] of Object.entries(packages)) if (place !== '' && !entry.inBundle) refuseForeign({...entry, name: nameOf(place)});
  return packages;
}

function checkEntry(place: string, {version, resolved, integrity, link, inBundle}: LockEntry, plugin: string): void {
  const fail = (reason: string): never => {
    throw new KernelError('INSTALL_INCOMPLETE', `${plugin} needs ${nameOf(place)} ${version ?? ''}, ${reason}.`, {hint: 'A plugin can bring such a package along: bundleDependencies in its package.json.'});
  };
  if (!/^node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*(\/node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*)*$/.test(place)) fail(`whose place ${place} is none`);
  if (place === `node_modules/${plugin}`) fail('which has its own name');
  if (inBundle) return;
  if (link || !resolved || !/^https?:/.test(resolved)) fail(`which comes from ${resolved ?? 'nowhere'} and not from a registry, so nothing can say that it stays the same`);
  if (!integrity) fail('for which no registry names a digest');
}

/** Optional parts for other machines stay away. */
function fitsMachine({optional, os, cpu, libc}: LockEntry, {environment: {platform}}: Installer): boolean {
  if (!optional) return true;
  return fits(os, platform) && fits(cpu, machine()) && (platform !== 'linux' || fits(libc, existsSync('/etc/alpine-release') ? 'musl' : 'glibc'));
}

function fits(list: readonly string[] | undefined, own: string): boolean {
  if (!list || list.length === 0) return true;
  if (list.includes(`!${own}`)) return false;
  const wanted = list.filter((one) => !one.startsWith('!'));
  return wanted.length === 0 || wanted.includes(own) || wanted.includes('any');
}

async function placeDependency(installer: Installer, folder: string, [place, {version = '', resolved = '', integrity = ''}]: readonly [string, LockEntry]): Promise<void> {
  const what = `${nameOf(place)} ${version}`;
  const options = await installer.npm();
  const url = placeArchive(new URL(resolved), registryOf(nameOf(place), options), options);
  // Where plugins may come from holds for what they bring along too.
  judgeEarly(installer, {source: {type: 'registry', registry: url, wanted: version}, what});
  const bytes = await fetchBytes({url, options, what, limit: LIMIT, signal: installer.signal, integrity, judge: (hop) => judgeAddress(installer, {url: hop, what, kinds: ['tarball', 'registry']})});
  checkIntegrity(bytes, integrity, {what, by: 'the lock'});
  await unpackArchive(bytes, join(folder, ...place.split('/')), {signal: installer.signal});
}

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
