import {createRequire} from 'node:module';
import {version as nodeVersion} from 'node:process';
import {messageOf} from '@gemini-kernel/kernel';
import type {Packument} from '../fetch/resolve-registry.js';
import type {LockEntry} from './resolve-by-npm.js';

/** Why npm has to resolve the packages. */
export class NotSimple extends Error {}

/** One package that depends on another, as declared. */
export interface Need {
  readonly by: string;
  readonly name: string;
  readonly wanted: string;
  readonly isOptional: boolean;
}

/** A chosen version and its dependencies. */
export interface SimpleVersion {
  readonly name: string;
  readonly version: string;
  readonly entry: LockEntry;
  readonly needs: readonly Need[];
}

export interface VersionContext {
  /** Versions published later are ignored. */
  readonly before?: Date;
  /** Whether npm runs on exactly the Node that this program runs on. */
  readonly isOwnNode: boolean;
}

interface Spec {
  readonly type: string;
  readonly fetchSpec: string;
}

interface Version extends LockEntry {
  readonly name?: unknown;
  readonly dist?: {readonly tarball?: unknown; readonly integrity?: unknown};
  readonly engines?: {readonly node?: unknown; readonly npm?: unknown};
  readonly scripts?: Readonly<Record<string, unknown>>;
}

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
const SCRIPTS = ['preinstall', 'install', 'postinstall'];
/**
 * Cases in which npm looks into archives, at the machine, or at the place of another package before it chooses a place.
 */
const INVOLVED = [
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  '_hasShrinkwrap',
  'os',
  'cpu',
  'libc',
];

/** The needs of a package with these dependencies. Throws NotSimple for an invalid name or version. */
export function needsOf(
  by: string,
  {dependencies = {}, optionalDependencies = {}}: Pick<LockEntry, 'dependencies' | 'optionalDependencies'>,
): readonly Need[] {
  const isOptional = (name: string): boolean => Object.hasOwn(optionalDependencies, name);
  return Object.entries({...dependencies, ...optionalDependencies}).map(([name, wanted]) => {
    if (!NAME.test(name) || typeof wanted !== 'string' || name === by)
      throw new NotSimple(`${by} needs ${name} ${String(wanted)}`);
    return {by, name, wanted, isOptional: isOptional(name)};
  });
}

/** The version that npm would choose for one need on its own. Throws NotSimple unless that is clear. */
export function resolveVersion(packument: Packument, need: Need, context: VersionContext): SimpleVersion {
  const {fetchSpec} = readSpec(need);
  const found = pick(packument, fetchSpec, context);
  const involved = INVOLVED.find((key) => !isEmpty((found as unknown as Readonly<Record<string, unknown>>)[key]));
  if (involved) throw new NotSimple(`${need.name} has ${involved}`);
  checkEngines(found, context);
  return {name: need.name, version: found.version ?? '', entry: entryOf(found, need), needs: needsOf(need.name, found)};
}

function readSpec({name, wanted}: Need): Spec {
  const {resolve} = createRequire(import.meta.url)('npm-package-arg') as {resolve(name: string, wanted: string): Spec};
  const spec = attempt(() => resolve(name, wanted));
  const isPlain =
    spec.type === 'range' || spec.type === 'version' || (spec.type === 'tag' && spec.fetchSpec === 'latest');
  if (!isPlain) throw new NotSimple(`${name} is wanted as ${wanted}`);
  return spec;
}

/** Engines are ignored here: a version that wins without them, and has matching engines, also wins with them. */
function pick(packument: Packument, fetchSpec: string, {before}: VersionContext): Version {
  const {versions, time} = packument;
  if (before && !time) throw new NotSimple(`${packument.name} has no publication times`);
  const choose = createRequire(import.meta.url)('npm-pick-manifest') as (
    packument: Packument,
    wanted: string,
    options: object,
  ) => Version;
  const found = attempt(() =>
    choose(packument, fetchSpec, {
      nodeVersion: null,
      npmVersion: null,
      includeStaged: false,
      ...(before ? {before} : {}),
    }),
  );
  const {name, version} = found;
  if (
    name !== packument.name ||
    typeof version !== 'string' ||
    !VERSION.test(version) ||
    !Object.hasOwn(versions ?? {}, version)
  )
    throw new NotSimple(`${packument.name} has another name`);
  return found;
}

function checkEngines({name, engines}: Version, {isOwnNode}: VersionContext): void {
  if (isEmpty(engines?.node) && isEmpty(engines?.npm)) return;
  const load = createRequire(import.meta.url);
  const {checkEngine} = createRequire(load.resolve('npm-pick-manifest'))('npm-install-checks') as {
    checkEngine(target: object, npmVersion: null, nodeVersion: string): void;
  };
  // Only npm itself knows its version.
  if (!isOwnNode || !isEmpty(engines?.npm)) throw new NotSimple(`${String(name)} requires an engine`);
  attempt(() => checkEngine({engines}, null, nodeVersion));
}

function entryOf(
  {version, dist, scripts, hasInstallScript, dependencies, optionalDependencies}: Version,
  {name}: Need,
): LockEntry {
  const {tarball, integrity} = dist ?? {};
  if (
    typeof tarball !== 'string' ||
    !/^https?:\/\//.test(tarball) ||
    typeof integrity !== 'string' ||
    !INTEGRITY.test(integrity)
  )
    throw new NotSimple(`${name} has no archive with a digest`);
  // Registries list optional packages in both fields; npm keeps them in one.
  const required = Object.fromEntries(
    Object.entries(dependencies ?? {}).filter(([one]) => !Object.hasOwn(optionalDependencies ?? {}, one)),
  );
  const hasScript = hasInstallScript === true || SCRIPTS.some((one) => !isEmpty(scripts?.[one]));
  return {
    version: version ?? '',
    resolved: tarball,
    integrity,
    ...(hasScript ? {hasInstallScript: true} : {}),
    ...(isEmpty(required) ? {} : {dependencies: required}),
    ...(isEmpty(optionalDependencies) ? {} : {optionalDependencies}),
  };
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Leave to npm what its own libraries cannot handle. */
function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw new NotSimple(messageOf(cause), {cause});
  }
}
