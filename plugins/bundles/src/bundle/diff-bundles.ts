import {describeSource, type LockedDependency} from '@gemini-kernel/admission';
import {filesOf} from './brought-folders.js';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import {diffLines} from './diff-lines.js';
import {diffValues, type ValueChange} from './diff-values.js';
import type {OpenBundle} from './open-bundle.js';
import {ownEntry} from '../own-entry.js';

/** Names that were added, removed, or have other content. */
export interface NameChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface PluginChange {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Its version before and after. */
  readonly before?: string;
  readonly after?: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** Source, signer, where it was built, mode, what it replaces. */
  readonly terms: readonly ValueChange[];
  readonly dependencies: NameChanges;
  /** Files of its package; absent unless both archives are available. */
  readonly files?: NameChanges;
}

export interface PolicyChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Lines prefixed with `-` or `+`; absent when a text is not available. */
  readonly lines?: readonly string[];
}

/** What a reviewer has to look at between two bundles. */
export interface BundleDiff {
  readonly before: {readonly name: string; readonly serial: number};
  readonly after: {readonly name: string; readonly serial: number};
  readonly plugins: readonly PluginChange[];
  readonly product: NameChanges;
  readonly policies: readonly PolicyChange[];
  /** Files of extensions and skills. */
  readonly files: NameChanges;
  /** Settings, MCP servers, rules, sources, keys, expiry and the rest. */
  readonly terms: readonly ValueChange[];
}

/** Digests of the files in a plugin's archive by path, or undefined when the archive is not available. */
export type ListFiles = (bundle: OpenBundle, plugin: BundlePlugin) => Promise<ReadonlyMap<string, string> | undefined>;

const TERMS: readonly (keyof BundleLock)[] = [
  'name',
  'description',
  'serial',
  'expires',
  'kernel',
  'settings',
  'mcpServers',
  'rules',
  'sources',
  'keys',
  'blockedCapabilities',
  'start',
  'prompt',
  'apart',
];

/** Compares two bundles; calls `files` for the content of plugins whose archive changed. */
export async function diffBundles(before: OpenBundle, after: OpenBundle, files: ListFiles): Promise<BundleDiff> {
  const [a, b] = [before.lock.plugins, after.lock.plugins];
  const names = diffNames(a.installed, b.installed);
  const plugins: PluginChange[] = [];
  for (const [change, list] of Object.entries(names) as [PluginChange['change'], readonly string[]][]) {
    for (const name of list) {
      const [from, to] = [ownEntry(a.installed, name), ownEntry(b.installed, name)];
      const listed =
        from && to && from.integrity !== to.integrity
          ? diffFiles(await files(before, from), await files(after, to))
          : undefined;
      plugins.push({name, change, ...diffPlugin(from, to), ...(listed ? {files: listed} : {})});
    }
  }
  return {
    before: {name: before.lock.name, serial: before.lock.serial},
    after: {name: after.lock.name, serial: after.lock.serial},
    plugins,
    product: diffNames(asKeys(a.product), asKeys(b.product)),
    policies: diffPolicies(before, after),
    files: diffNames(folderDigests(before), folderDigests(after)),
    terms: TERMS.flatMap((key) => diffValues(before.lock[key], after.lock[key], key)),
  };
}

function diffPlugin(
  from: BundlePlugin | undefined,
  to: BundlePlugin | undefined,
): Omit<PluginChange, 'name' | 'change' | 'files'> {
  const [had, has] = [from?.capabilities ?? [], to?.capabilities ?? []];
  return {
    ...(from ? {before: from.version} : {}),
    ...(to ? {after: to.version} : {}),
    gained: has.filter((one) => !had.includes(one)),
    lost: had.filter((one) => !has.includes(one)),
    terms: from && to ? diffTerms(from, to) : [],
    dependencies: diffNames(versions(from?.dependencies), versions(to?.dependencies)),
  };
}

function diffTerms(from: BundlePlugin, to: BundlePlugin): readonly ValueChange[] {
  return [
    ...diffValues(describeSource(from.source), describeSource(to.source), 'source'),
    ...(['signer', 'provenance', 'mode', 'replaces', 'isolation'] as const).flatMap((key) =>
      diffValues(from[key], to[key], key),
    ),
  ];
}

/** Dependencies by name and place; another version or other bytes count as a change. */
function versions(dependencies: Readonly<Record<string, LockedDependency>> = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([place, {version, integrity}]) => [
      place.replace(/^node_modules\//, ''),
      [version, integrity],
    ]),
  );
}

function diffNames(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): NameChanges {
  const [a, b] = [Object.keys(before).sort(), Object.keys(after).sort()];
  return {
    added: b.filter((name) => !(name in before)),
    removed: a.filter((name) => !(name in after)),
    changed: a.filter(
      (name) => Object.hasOwn(after, name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    ),
  };
}

function diffFiles(
  before: ReadonlyMap<string, string> | undefined,
  after: ReadonlyMap<string, string> | undefined,
): NameChanges | undefined {
  return before && after ? diffNames(Object.fromEntries(before), Object.fromEntries(after)) : undefined;
}

function diffPolicies(before: OpenBundle, after: OpenBundle): readonly PolicyChange[] {
  const [a, b] = [digests(before), digests(after)];
  return (Object.entries(diffNames(a, b)) as [PolicyChange['change'], readonly string[]][]).flatMap(([change, paths]) =>
    paths.map((path): PolicyChange => {
      const [from, to] = [
        path in a ? before.files.get(path) : Buffer.alloc(0),
        path in b ? after.files.get(path) : Buffer.alloc(0),
      ];
      return {path, change, ...(from && to ? {lines: diffLines(from.toString(), to.toString())} : {})};
    }),
  );
}

function digests({lock}: OpenBundle): Readonly<Record<string, string>> {
  return Object.fromEntries(lock.policies.map(({path, digest}) => [path, digest]));
}

function folderDigests({lock}: OpenBundle): Readonly<Record<string, string>> {
  const files = filesOf({...lock, policies: []});
  return Object.fromEntries(files.map(({path, digest, executable}) => [path, `${digest}${executable ? ' x' : ''}`]));
}

function asKeys(names: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(names.map((name) => [name, true] as const));
}
