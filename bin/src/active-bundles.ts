import {lstatSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {ActiveBundle, BundleFolder} from '@gemini-kernel/admission/contract';
import type {JSONSchema} from '@gemini-kernel/kernel';
import type {AppliedLock, ManagedReading} from '@gemini-kernel/admission';
import {messageOf} from '@gemini-kernel/kernel/host';

/** An applied bundle, with what a start needs of it. */
export interface AppliedBundle extends ActiveBundle {
  /** Plugins of the product that stay; empty: all. */
  readonly product: readonly string[];
}

/** Sizes and times of every applied bundle below a folder. */
export function markBundles(folder: string): string {
  try {
    const names = namesIn(folder);
    return names.length === 0
      ? ''
      : [
          markOf(join(folder, BUNDLE_MEMORY)),
          ...names.map((name) => markOf(join(folder, name, 'bundle.lock.json'))),
        ].join('\n');
  } catch (error) {
    // A folder that may not be entered; reading says so.
    return messageOf(error);
  }
}

/** What a scope remembers of its bundles, as `BUNDLE_MEMORY` of the kernel, which is not loaded for this. */
const BUNDLE_MEMORY = 'memory.json';

export interface BundleReading {
  readonly bundles: readonly AppliedBundle[];
  /** Bundles that cannot be relied on, each with the reason. */
  readonly broken: readonly {readonly name: string; readonly root: string; readonly reason: string}[];
}

export interface BundleParts {
  readonly folder: string;
  readonly origin: 'user' | 'system';
  /** Of `bundle.lock.json`. */
  readonly schema: JSONSchema;
  /** The administrator's rules, which may say who must have signed a person's. */
  readonly managed?: ManagedReading;
}

/** Reads every applied bundle below a folder. One that does not verify is broken, and nothing of it counts. */
export async function readBundles({folder, origin, schema, managed}: BundleParts): Promise<BundleReading> {
  const bundles: AppliedBundle[] = [];
  const broken: BundleReading['broken'][number][] = [];
  const names = listBundles(folder, broken);
  if (names.length === 0) return {bundles, broken};
  const {bundleSignersOf, readAppliedBundle, readBundleMemory} = await import('@gemini-kernel/admission');
  for (const name of names) {
    const root = join(folder, name);
    try {
      // Only an administrator writes at the system's places.
      const memory = origin === 'user' ? readBundleMemory(folder) : undefined;
      const {lock, faults} = await readAppliedBundle({
        root,
        schema,
        memory,
        signers: managed && bundleSignersOf(managed),
      });
      if (faults.length > 0) throw new Error(faults.join('; '));
      bundles.push(describeBundle(lock, root, origin));
    } catch (error) {
      broken.push({name, root, reason: `the bundle ${name} in ${folder} cannot be relied on: ${messageOf(error)}`});
    }
  }
  return {bundles, broken};
}

/** The names of what is there; a folder that cannot be listed is itself broken. */
function listBundles(folder: string, broken: BundleReading['broken'][number][]): readonly string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    broken.push({name: 'bundles', root: folder, reason: `${folder} cannot be read: ${messageOf(error)}`});
    return [];
  }
}

function describeBundle(
  {name, serial, expires, plugins, policies, settings, mcpServers, extensions, skills}: AppliedLock,
  root: string,
  origin: 'user' | 'system',
): AppliedBundle {
  const enforced = {
    ...settings?.enforced,
    ...(mcpServers ? {mcpServers: {...(settings?.enforced?.['mcpServers'] as object | undefined), ...mcpServers}} : {}),
  };
  return {
    name,
    origin,
    serial,
    ...(expires ? {expires} : {}),
    product: plugins.product,
    settings: {
      ...(settings?.defaults ? {defaults: settings.defaults} : {}),
      ...(Object.keys(enforced).length > 0 ? {enforced} : {}),
    },
    policies: policies.map(({path}) => join(root, path)),
    digests: Object.fromEntries(policies.map(({path, digest}) => [join(root, path), digest])),
    ...(extensions ? {extensions: foldersIn(join(root, 'extensions'), extensions)} : {}),
    ...(skills ? {skills: foldersIn(join(root, 'skills'), skills)} : {}),
  };
}

function foldersIn(folder: string, locked: NonNullable<AppliedLock['extensions']>): readonly BundleFolder[] {
  return Object.entries(locked).map(([name, {tree}]) => ({name, path: join(folder, name), tree}));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, {withFileTypes: true})
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({name}) => name)
      .sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** What changes when a file may have; the same text for a file that is not there. */
export function markOf(path: string): string {
  try {
    const stats = lstatSync(path, {throwIfNoEntry: false});
    return stats ? `${path} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}` : 'none';
  } catch (error) {
    // What is in a folder that may not be entered, reading says; below a file there is nothing.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'none' : messageOf(error);
  }
}
