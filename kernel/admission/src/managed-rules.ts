import {satisfies} from '@gemini-kernel/kernel/host';
import type {Capability} from '@gemini-kernel/kernel/host';
import {findBlocked} from './find-blocked.js';
import {findProvenanceFault, type Provenance, type ProvenanceRule} from './provenance.js';
import {matchesSource, normaliseLocation, type PluginSource, type SourceRule} from './source.js';

export type PluginMode = 'allowed' | 'default-on' | 'required' | 'blocked' | 'removed';

/**
 * What an administrator says of one plugin (`@corp/audit`), of a scope (`@corp/*`) or of all others (`*`). A field that
 * is not given is taken from the wider rule.
 */
export interface PluginRule {
  readonly mode?: PluginMode;
  /** Shown to the person whose call is refused. */
  readonly message?: string;
  readonly version?: string;
  /** Of the archive. */
  readonly integrity?: string;
  /** Of the unpacked tree. */
  readonly tree?: string;
  readonly blockedCapabilities?: readonly Capability[];
  /** `7d`, `12h`: how long ago it must have been published. */
  readonly minReleaseAge?: string;
  /** Names of keys, one of which must have signed it. */
  readonly signers?: readonly string[];
  readonly provenance?: ProvenanceRule;
}

/** The rules of all files of an administrator, joined. */
export interface ManagedRules {
  readonly plugins: Readonly<Record<string, PluginRule>>;
  /** Public Ed25519 keys by name, as base64 of their SPKI form. */
  readonly keys: Readonly<Record<string, string>>;
  readonly sources: {readonly allowed?: readonly SourceRule[]; readonly blocked?: readonly SourceRule[]};
  /** Names of keys, one of which must have signed each bundle that is applied. */
  readonly bundleSigners?: readonly string[];
  /** Versions of the kernel that may run plugins. */
  readonly kernel?: string;
  /** Nothing loads but what a lock pins by its content. */
  readonly frozen?: boolean;
  /**
   * Whose certificates count for provenance, as Sigstore writes a TrustedRoot; without it those of the public Sigstore.
   */
  readonly trustRoot?: Readonly<Record<string, unknown>>;
}

/** What there is to know of a plugin that is to be installed or loaded. */
export interface PluginFacts {
  readonly name: string;
  readonly version: string;
  readonly source: PluginSource;
  readonly capabilities: readonly Capability[];
  readonly integrity?: string;
  readonly tree?: string;
  readonly signer?: string;
  readonly provenance?: Provenance;
  /** When the registry got it; known at install only. */
  readonly published?: Date;
}

/** The rule for a plugin, each field from the narrowest entry that has it: its name, its scope, `*`. */
export function ruleFor({plugins}: Pick<ManagedRules, 'plugins'>, name: string): PluginRule {
  const scope = name.startsWith('@') ? `${name.split('/')[0] ?? ''}/*` : undefined;
  // A plugin may be called constructor.
  const own = (key: string): PluginRule | undefined => (Object.hasOwn(plugins, key) ? plugins[key] : undefined);
  return {...own('*'), ...(scope ? own(scope) : undefined), ...own(name)};
}

/**
 * Whether a rule speaks of content, which only hashing can prove where a person could change the files and what is
 * noted of them.
 */
export function namesContent({integrity, tree, signers, provenance}: PluginRule): boolean {
  return integrity !== undefined || tree !== undefined || signers !== undefined || provenance !== undefined;
}

/**
 * Why the rules do not let a plugin in, as a sentence with the administrator's message, or undefined when they do.
 * `now` is for ages; without it they are not looked at.
 */
export function findRuleFault(rules: ManagedRules, facts: PluginFacts, now?: Date): string | undefined {
  const rule = ruleFor(rules, facts.name);
  const fault =
    findModeFault(rule) ??
    findSourceFault(rules, facts) ??
    findContentFault(rule, facts) ??
    (now ? findAgeFault(rule, facts, now) : undefined);
  return fault && `${fault}${rule.message ? ` (${rule.message})` : ''}`;
}

function findModeFault({mode}: PluginRule): string | undefined {
  return mode === 'blocked' || mode === 'removed' ? `the administrator has it ${mode}` : undefined;
}

function findSourceFault({sources: {allowed, blocked}}: ManagedRules, {source}: PluginFacts): string | undefined {
  const place = describeSource(source);
  if (blocked?.some((rule) => matchesSource(rule, source, true)))
    return `the administrator blocks its source, ${place}`;
  if (allowed && !allowed.some((rule) => matchesSource(rule, source)))
    return `its source, ${place}, is not one that the administrator allows`;
  return undefined;
}

function findContentFault(rule: PluginRule, facts: PluginFacts): string | undefined {
  const {version, capabilities, provenance} = facts;
  if (rule.version !== undefined && !satisfies(version, rule.version))
    return `the administrator wants version ${rule.version}, this is ${version}`;
  const [blocked] = findBlocked(capabilities, rule.blockedCapabilities ?? []);
  if (blocked) return `it wants ${blocked}, which the administrator blocks`;
  return findBytesFault(rule, facts) ?? (rule.provenance && findProvenanceFault(rule.provenance, provenance));
}

function findBytesFault(rule: PluginRule, {integrity, tree, signer}: PluginFacts): string | undefined {
  if (rule.integrity !== undefined && rule.integrity !== integrity)
    return `its archive is not the one the administrator names (${rule.integrity.slice(0, 23)}…)`;
  if (rule.tree !== undefined && rule.tree !== tree)
    return `its files are not those the administrator names (${rule.tree.slice(0, 23)}…)`;
  if (rule.signers && !(signer !== undefined && rule.signers.includes(signer)))
    return `it has no signature of ${rule.signers.join(' or ') || 'anybody'}, which the administrator asks for`;
  return undefined;
}

function findAgeFault({minReleaseAge}: PluginRule, {published, source}: PluginFacts, now: Date): string | undefined {
  if (minReleaseAge === undefined || source.type === 'bundle') return undefined;
  const age = published ? now.getTime() - published.getTime() : undefined;
  if (age !== undefined && age >= durationOf(minReleaseAge)) return undefined;
  return age === undefined
    ? `its publication date is unknown, and the administrator requires it to be ${minReleaseAge} old`
    : `it was published ${describeAge(age)} ago, and the administrator wants ${minReleaseAge}`;
}

/**
 * Milliseconds of `30m`, `12h`, `7d` or `2w`; a text in no such form is for ever, so that it cannot let anything
 * through.
 */
export function durationOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const hours: Readonly<Record<string, number>> = {m: 1 / 60, h: 1, d: 24, w: 168};
  return count === undefined ? Infinity : Number(count) * (hours[unit] ?? Infinity) * 3_600_000;
}

function describeAge(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** A source as people read it. */
export function describeSource(source: PluginSource): string {
  if (source.type === 'bundle') return `the bundle ${source.bundle}`;
  if (source.type === 'registry')
    return `the registry ${normaliseLocation(source.registry)?.host ?? JSON.stringify(source.registry)}`;
  return `the ${source.type} ${source.location.replace(/\/\/[^/@]*@/, '//')}`;
}
