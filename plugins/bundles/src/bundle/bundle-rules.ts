import {findRuleFault, type ManagedRules, type PluginFacts, type PluginRule} from '@gemini-kernel/admission';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import {ownEntry} from '../own-entry.js';

/** A bundle as an administrator's file: its own rules, and an entry for each plugin it lists, pinned to its tree. */
export interface BundleRules {
  readonly plugins: Readonly<Record<string, PluginRule>>;
  readonly keys?: Readonly<Record<string, string>>;
  readonly sources?: ManagedRules['sources'];
}

/** The administrator's file of a bundle that was applied with --system. */
export function bundleRules({
  rules = {},
  plugins: {installed},
  blockedCapabilities,
  keys,
  sources,
}: BundleLock): BundleRules {
  const others = blockedCapabilities
    ? {'*': {...rules['*'], blockedCapabilities: [...(rules['*']?.blockedCapabilities ?? []), ...blockedCapabilities]}}
    : {};
  const listed = Object.fromEntries(
    Object.entries(installed).map(([name, plugin]) => [
      name,
      listedRule(name, plugin, rules, blockedCapabilities !== undefined),
    ]),
  );
  return {
    plugins: {...rules, ...others, ...listed},
    ...(keys ? {keys} : {}),
    // What a bundle brings is checked when it is applied; from then on its source is the bundle.
    ...(sources
      ? {sources: sources.allowed ? {...sources, allowed: [...sources.allowed, {type: 'bundle'}]} : sources}
      : {}),
  };
}

function listedRule(
  name: string,
  {tree, mode}: BundlePlugin,
  rules: NonNullable<BundleLock['rules']>,
  isLimited: boolean,
): PluginRule {
  const [own, scope] = [ownEntry(rules, name), ownEntry(rules, `${name.split('/')[0] ?? ''}/*`)];
  const inherits = own?.blockedCapabilities ?? (name.startsWith('@') ? scope?.blockedCapabilities : undefined);
  return {mode: mode ?? 'allowed', ...own, tree, ...(isLimited && !inherits ? {blockedCapabilities: []} : {})};
}

/** Why some rules would not allow what a bundle brings, as sentences. */
export function findOwnFaults(lock: BundleLock, rules: ManagedRules): readonly string[] {
  return Object.entries(lock.plugins.installed).flatMap(([name, plugin]) => {
    const fault = findRuleFault(rules, bundleFacts(lock, name, plugin));
    return fault ? [`${name}: ${fault}.`] : [];
  });
}

/** The facts about a plugin of a bundle that rules are checked against. */
export function bundleFacts(
  {name: bundle, serial}: BundleLock,
  name: string,
  {version, capabilities, integrity, tree, signer, provenance}: BundlePlugin,
): PluginFacts {
  return {
    name,
    version,
    source: {type: 'bundle', bundle, serial},
    capabilities,
    integrity,
    tree,
    ...(signer ? {signer} : {}),
    ...(provenance ? {provenance} : {}),
  };
}
