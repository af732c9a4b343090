import {lstatSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {readTextSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {ManagedRules, PluginMode, PluginRule} from './managed-rules.js';

/** What an administrator's files say. What cannot be read or trusted counts as the strictest rules there could be. */
export type ManagedReading =
  | {readonly kind: 'none'}
  | {readonly kind: 'rules'; readonly rules: ManagedRules; readonly files: readonly string[]}
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      /** Names that those files which can be read have blocked or removed. */
      readonly blocked: readonly string[];
    };

export interface ManagedPlace {
  /** The drop-in folder. */
  readonly folder: string;
  /** Uid of who must own folder and files; undefined where owners are no numbers. */
  readonly owner: number | undefined;
}

type Fragment = {readonly [K in keyof ManagedRules]?: ManagedRules[K]};

/**
 * Names, sizes and times of an administrator's files: what a compiled catalog is held against. The same text as long as
 * nothing changed.
 */
export function markManaged({folder}: ManagedPlace): string {
  try {
    return listFiles(folder)
      .map((path) => {
        const {size, mtimeMs, ctimeMs, ino, uid, mode} = lstatSync(path);
        return [path, size, mtimeMs, ctimeMs, ino, uid, mode].join(' ');
      })
      .join('\n');
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Reads every `*.json` of the folder. Entries of the same name are joined field by field; of two that differ, the
 * stricter counts, and where neither is stricter the whole reading fails.
 */
export async function readManagedRules(place: ManagedPlace, schema: JSONSchema): Promise<ManagedReading> {
  try {
    const files = listFiles(place.folder);
    if (files.length === 0) return {kind: 'none'};
    let joined: ManagedRules = {plugins: {}, keys: {}, sources: {}};
    checkOwner(place.folder, place.owner);
    checkOwner(dirname(place.folder), place.owner);
    for (const file of files) {
      checkOwner(file, place.owner);
      const value = parse(file);
      const faults = await findViolations(schema, value, 'rules');
      if (faults.length > 0) throw new Error(`${file} is not valid: ${faults.slice(0, 3).join(' ')}`);
      // The schema has just said so.
      joined = joinFragment(joined, value as Fragment, file);
    }
    return {kind: 'rules', rules: joined, files};
  } catch (error) {
    return {kind: 'unreadable', reason: messageOf(error), blocked: findBlockedNames(place.folder)};
  }
}

/** What can be known of rules that cannot be relied on. */
function findBlockedNames(folder: string): readonly string[] {
  const blockedIn = (file: string): readonly string[] => {
    try {
      const {plugins = {}} = Object(parse(file)) as Fragment;
      return Object.entries(plugins)
        .filter(([, rule]) => ['blocked', 'removed'].includes(String(Object(rule).mode)))
        .map(([name]) => name);
    } catch (error) {
      // The file that is unreadable; the reading says so.
      if (error instanceof Error) return [];
      throw error;
    }
  };
  try {
    return listFiles(folder).flatMap(blockedIn);
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Throws Error when a file or folder that is there could have been written by others than the administrator. */
export function checkOwner(path: string, owner: number | undefined): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw new Error(`${path} is a link, whose target others may own`);
  if (owner === undefined) return;
  if (stats.uid !== owner) throw new Error(`${path} belongs to user ${stats.uid}, not to the administrator`);
  if ((stats.mode & 0o022) !== 0)
    throw new Error(
      `${path} may be written by others than the administrator (mode ${(stats.mode & 0o777).toString(8)})`,
    );
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readTextSync(file));
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${messageOf(cause)}`, {cause});
  }
}

function joinFragment(a: ManagedRules, b: Fragment, file: string): ManagedRules {
  const clash = (what: string): never => {
    throw new Error(`${file} says something else of ${what} than a file before it`);
  };
  for (const key of ['kernel', 'trustRoot'] as const) if (differ(a[key], b[key])) clash(key);
  return {
    ...pickGiven({kernel: b.kernel ?? a.kernel, trustRoot: b.trustRoot ?? a.trustRoot}),
    ...pickGiven({bundleSigners: both(a.bundleSigners, b.bundleSigners)}),
    plugins: joinPlugins(a.plugins, b.plugins ?? {}, clash),
    keys: joinKeys(a.keys, b.keys ?? {}, clash),
    sources: joinSources(a.sources, b.sources ?? {}),
    frozen: (a.frozen ?? false) || (b.frozen ?? false),
  };
}

type Clash = (what: string) => never;

function joinPlugins(a: ManagedRules['plugins'], b: ManagedRules['plugins'], clash: Clash): ManagedRules['plugins'] {
  const plugins = new Map(Object.entries(a));
  for (const [name, rule] of Object.entries(b)) {
    const joined = joinRule(plugins.get(name) ?? {}, rule, () => clash(name));
    plugins.set(name, joined);
  }
  return Object.fromEntries(plugins);
}

function joinKeys(a: ManagedRules['keys'], b: ManagedRules['keys'], clash: Clash): ManagedRules['keys'] {
  for (const [name, key] of Object.entries(b)) if (Object.hasOwn(a, name) && a[name] !== key) clash(`the key ${name}`);
  return {...a, ...b};
}

function joinSources(a: ManagedRules['sources'], b: ManagedRules['sources']): ManagedRules['sources'] {
  const allowed = both(a.allowed, b.allowed);
  return {...(allowed ? {allowed} : {}), blocked: [...(a.blocked ?? []), ...(b.blocked ?? [])]};
}

type Given<T> = {readonly [K in keyof T]?: NonNullable<T[K]>};

function pickGiven<T extends object>(values: T): Given<T> {
  // What is left has a value for each key it still has.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** What both lists hold; a list that is not given holds everything. */
function both<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (!a || !b) return a ?? b;
  const texts = new Set(b.map((one) => JSON.stringify(one)));
  return a.filter((one) => texts.has(JSON.stringify(one)));
}

const differ = (a: unknown, b: unknown): boolean =>
  a !== undefined && b !== undefined && JSON.stringify(a) !== JSON.stringify(b);

const STRICTEST: readonly PluginMode[] = ['removed', 'blocked', 'required', 'allowed', 'default-on'];

function joinRule(a: PluginRule, b: PluginRule, clash: () => never): PluginRule {
  for (const key of ['version', 'integrity', 'tree', 'minReleaseAge'] as const) if (differ(a[key], b[key])) clash();
  for (const key of ['repository', 'workflow', 'ref', 'issuer'] as const)
    if (differ(a.provenance?.[key], b.provenance?.[key])) clash();
  const {blockedCapabilities: one, provenance: from} = a;
  const {blockedCapabilities: other, provenance: wanted} = b;
  return {
    ...a,
    ...b,
    ...pickGiven({
      provenance: from && wanted ? {...from, ...wanted} : undefined,
      mode: STRICTEST.find((mode) => mode === a.mode || mode === b.mode),
      signers: both(a.signers, b.signers),
      blockedCapabilities: one && other ? [...one, ...other] : (one ?? other),
    }),
  };
}
