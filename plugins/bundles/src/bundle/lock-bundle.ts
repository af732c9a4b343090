import {dirname, posix} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {PluginSource} from '@gemini-kernel/admission';
import {createCatalog, type CatalogPlugin} from '@gemini-kernel/kernel/host';
import {parseSpec} from '../install/source/parse-spec.js';
import {ownEntry} from '../own-entry.js';
import {lockFolders} from './brought-folders.js';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import type {Bundle, ListedPlugin} from './bundle.js';
import {checkBundle, checkOwnRules} from './check-bundle.js';
import {digest} from './digest.js';
import type {WrittenBundle} from './read-bundle.js';
import {isWithin, portable, settlePlugin, type SettleParts} from './settle-plugin.js';

/** The plugin that this is. */
const OWN = '@gemini-kernel/plugin-bundles';

export interface LockParts extends SettleParts {
  /** The previous lock; plugins that still match what the bundle asks for keep their entries. */
  readonly before: BundleLock | undefined;
}

/**
 * Resolves a bundle: each plugin to a version, its bytes and those of its dependencies. Throws KernelError
 * BUNDLE_INVALID, BUNDLE_LOOSE, and the errors of getting plugins.
 */
export async function lockBundle(written: WrittenBundle, parts: LockParts): Promise<BundleLock> {
  await checkBundle(written);
  const {bundle} = written;
  const product = keepProduct(bundle, parts.installer.present);
  const folder = dirname(written.file);
  const installed: Record<string, BundlePlugin> = {};
  let present = product;
  for (const listed of bundle.plugins) {
    if (typeof listed === 'string') continue;
    const kept = keptPlugin(listed, parts.before, folder);
    if (kept) installed[listed.name] = withMode(kept, listed);
    else {
      const {plugin, loaded} = await settlePlugin(listed, written, {
        ...parts,
        installer: {...parts.installer, present},
      });
      installed[listed.name] = withMode(plugin, listed);
      present = [...present, loaded];
    }
  }
  const lock = composeLock(written, installed);
  checkOwnRules(lock);
  return lock;
}

/**
 * The plugins of the product that are kept; they have to load without the others. Throws KernelError BUNDLE_INVALID.
 */
function keepProduct({name, plugins}: Bundle, present: readonly CatalogPlugin[]): readonly CatalogPlugin[] {
  const names = plugins.filter((one) => typeof one === 'string');
  if (names.length === 0) return present;
  const kept = present.filter(({manifest}) => names.includes(manifest.name));
  const unknown = names
    .filter((one) => !present.some(({manifest}) => manifest.name === one))
    .map((one) => `The product has no plugin ${one}.`);
  const unfit = createCatalog(kept).refused.map(
    ({name: one, reason}) => `Without the others, ${one} does not load: ${reason}.`,
  );
  // Users of the bundle could neither update nor remove it.
  const closed = names.includes(OWN) ? [] : [`It leaves out ${OWN}, which applies and removes bundles.`];
  const faults = [...unknown, ...unfit, ...closed];
  if (faults.length > 0)
    throw new KernelError(
      'BUNDLE_INVALID',
      `The list of kept product plugins in ${name} is not valid. ${faults.join(' ')}`,
      {hint: 'Fix the list. With no plain name in it, all product plugins are kept.', data: {faults}},
    );
  return kept;
}

/** The lock of a bundle whose plugins are resolved. */
export function composeLock(
  {bundle, policies, folders}: WrittenBundle,
  installed: Readonly<Record<string, BundlePlugin>>,
): BundleLock {
  const {plugins, policies: _, extensions: _extensions, skills: _skills, serial, ...terms} = bundle;
  const {$schema: __, ...rest} = terms as typeof terms & {readonly $schema?: string};
  return {
    ...rest,
    bundleVersion: 1,
    serial: serial ?? 1,
    plugins: {product: plugins.filter((one) => typeof one === 'string').sort(), installed},
    policies: [...policies]
      .map(([path, bytes]) => ({path: posix.normalize(path), digest: digest(bytes)}))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    ...lockFolders(folders),
  };
}

/** The locked entry of a plugin, if it still matches what the bundle asks for; `folder` is that of the bundle. */
function keptPlugin(
  {name, version, from}: ListedPlugin,
  lock: BundleLock | undefined,
  folder: string,
): BundlePlugin | undefined {
  const kept = lock && ownEntry(lock.plugins.installed, name);
  return kept && isWithin(kept.version, version) && isSameSource(kept.source, from, folder) ? kept : undefined;
}

/** The plugins whose locked entries match the bundle, and the names of the others. */
export function keptPlugins(
  {file, bundle}: WrittenBundle,
  lock: BundleLock,
): {readonly kept: Readonly<Record<string, BundlePlugin>>; readonly missing: readonly string[]} {
  const listed = bundle.plugins.filter((one) => typeof one !== 'string');
  const found = listed.map((one) => ({one, plugin: keptPlugin(one, lock, dirname(file))}));
  return {
    kept: Object.fromEntries(found.flatMap(({one, plugin}) => (plugin ? [[one.name, withMode(plugin, one)]] : []))),
    missing: found.filter(({plugin}) => !plugin).map(({one}) => one.name),
  };
}

function isSameSource(source: PluginSource, from: string | undefined, folder: string): boolean {
  if (from === undefined) return source.type === 'registry';
  const wanted = parseSpec(from, folder);
  if (wanted.type === 'registry') return source.type === 'registry' && source.wanted === wanted.wanted;
  if (wanted.type === 'git')
    return (
      source.type === 'git' &&
      source.location === portable(wanted.location, folder) &&
      source.wanted === (wanted.range ? `semver:${wanted.range}` : wanted.wanted)
    );
  return source.type === wanted.type && source.location === portable(wanted.location, folder);
}

function withMode({mode: _, ...plugin}: BundlePlugin, {mode}: ListedPlugin): BundlePlugin {
  return mode ? {...plugin, mode} : plugin;
}
