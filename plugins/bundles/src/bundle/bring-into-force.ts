import {mkdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {lendPackages, type LockedPlugin} from '@gemini-kernel/admission';
import {switchLock} from '../install/commit/switch-lock.js';
import {readIfThere, writeWhole} from '../install/commit/write-whole.js';
import {readMemory, writeMemory} from './applied-bundles.js';
import {comingFolder, readNote, removeFolder, settleFolder} from './bundle-folder.js';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import {bundleRules} from './bundle-rules.js';
import type {BundleScope} from './bundle-scope.js';
import {sortKeys} from './lock-text.js';
import {PARTS} from './open-bundle.js';
import {publishedSchema} from '../published-schema.js';
import {parseBundleLock} from './read-bundle.js';
import {rulesFile} from './system-rules.js';

type Forced = Pick<BundleScope, 'name' | 'places' | 'environment'>;

/**
 * Puts a bundle into force: rules, memory, lock, folder. Its folder must be staged and its trees must be in the store.
 * A failure before the lock is switched undoes everything; after that, the next caller completes it. Call it while you
 * hold the lock.
 */
export async function bringIntoForce(scope: Forced, name: string): Promise<void> {
  const {bundles, lock: lockFile, store} = scope.places;
  const folder = comingFolder(bundles, name);
  const lock = await parseBundleLock(await readText(join(folder, PARTS.lock)), folder);
  const {applied, keys} = await readNote(folder);
  const file = scope.name === 'system' ? join(scope.environment.installs.system.rules, rulesFile(name)) : undefined;
  const rulesBefore = file === undefined ? undefined : await readIfThere(file);
  const memory = readMemory(bundles);
  try {
    if (file !== undefined) await putRules(file, rulesText(lock));
    // From here on, a start obeys this release instead of the previous one, whose plugins are replaced next.
    await writeMemory(bundles, {applied: {...memory.applied, [name]: applied}, keys: {...memory.keys, ...keys}});
    lendPackages(store, scope.environment.installs.program);
    await switchLock({
      lock: lockFile,
      schema: await publishedSchema('plugins-lock'),
      change: (plugins) => ({...without(plugins, name), ...entriesOf(lock, applied.at)}),
    });
  } catch (error) {
    if (file !== undefined) await putRules(file, rulesBefore);
    await writeMemory(bundles, memory);
    await removeFolder(bundles, `${name}+new`);
    throw error;
  }
  await settleFolder(bundles, name);
}

async function putRules(file: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(file, {force: true});
  await mkdir(dirname(file), {recursive: true, mode: 0o755});
  await writeWhole(file, text);
}

/**
 * Removes a bundle from force: its plugins leave the lock, its rules and its folder are deleted; its serial stays
 * remembered. Call it while you hold the lock.
 */
export async function takeOutOfForce(scope: Forced, name: string): Promise<void> {
  const {bundles, lock} = scope.places;
  await switchLock({lock, schema: await publishedSchema('plugins-lock'), change: (plugins) => without(plugins, name)});
  await removeFolder(bundles, name);
  if (scope.name === 'system') await rm(join(scope.environment.installs.system.rules, rulesFile(name)), {force: true});
}

/** The text of the administrator's file of a bundle. */
export function rulesText(lock: BundleLock): string {
  return `${JSON.stringify(sortKeys(bundleRules(lock)), null, 2)}\n`;
}

function without(
  plugins: Readonly<Record<string, LockedPlugin>>,
  bundle: string,
): Readonly<Record<string, LockedPlugin>> {
  return Object.fromEntries(
    Object.entries(plugins).filter(([, {source}]) => source.type !== 'bundle' || source.bundle !== bundle),
  );
}

function entriesOf(
  {name: bundle, serial, plugins: {installed}}: BundleLock,
  at: string,
): Readonly<Record<string, LockedPlugin>> {
  return Object.fromEntries(
    Object.entries(installed).map(([name, plugin]) => {
      const {mode: _, ...locked}: BundlePlugin = plugin;
      return [name, {...locked, source: {type: 'bundle', bundle, serial}, approved: {at, by: `bundle ${bundle}`}}];
    }),
  );
}
