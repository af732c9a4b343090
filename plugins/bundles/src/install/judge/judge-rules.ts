import {KernelError} from '@gemini-kernel/kernel';
import {
  findRuleFault,
  isReserved,
  ruleFor,
  type ManagedRules,
  type PluginFacts,
  type PluginRule,
  type PluginSource,
} from '@gemini-kernel/admission';
import {KERNEL_VERSION, satisfies} from '@gemini-kernel/kernel/host';
import {omitUndefined} from '../../omit-undefined.js';
import type {Installer} from '../source/installer.js';

type RuleParts = Pick<Installer, 'managed' | 'environment' | 'now'>;

/**
 * The administrator's rules; undefined when there are none. Throws KernelError MANAGED_UNMET when they cannot be relied
 * on.
 */
export function rulesOf({managed}: Pick<Installer, 'managed'>): ManagedRules | undefined {
  if (managed.kind !== 'unreadable') return managed.kind === 'rules' ? managed.rules : undefined;
  throw new KernelError(
    'MANAGED_UNMET',
    `Nothing can be installed, because the administrator's rules cannot be relied on: ${managed.reason}.`,
    {hint: 'Ask the administrator of this machine to mend them.'},
  );
}

export interface EarlyFacts {
  readonly source: PluginSource;
  /** Where only the archive says it, not known yet. */
  readonly name?: string | undefined;
  readonly version?: string;
  readonly published?: Date | undefined;
  /** What is told of instead of the name: a dependency has none that rules could speak of. */
  readonly what?: string;
}

/**
 * Judges by what is known before an archive is fetched: the source, and what there is of name, version and age. Throws
 * KernelError INSTALL_FORBIDDEN.
 */
export function judgeEarly(
  installer: RuleParts,
  {source, name = '', version, published, what = version ? `${name} ${version}` : name}: EarlyFacts,
): void {
  judgeName(installer, name);
  const rules = rulesOf(installer);
  if (!rules) return;
  if (rules.kernel !== undefined && !satisfies(KERNEL_VERSION, rules.kernel))
    throw forbidden(
      name,
      `the administrator lets plugins load in kernel ${rules.kernel} only, this is ${KERNEL_VERSION}`,
    );
  const rule = name === '' ? {} : earlyPart(ruleFor(rules, name), version);
  const facts: PluginFacts = {
    name,
    version: version ?? '0.0.0',
    source,
    capabilities: [],
    ...omitUndefined({published}),
  };
  const fault = findRuleFault({...rules, plugins: {[name]: rule}}, facts, installer.now());
  if (fault) throw forbidden(what, fault);
}

/** What of a rule can be judged before the archive is there; its range and its age only of a version that is known. */
function earlyPart(
  {mode, message, version: range, minReleaseAge}: PluginRule,
  version: string | undefined,
): PluginRule {
  return {
    ...(mode ? {mode} : {}),
    ...(message ? {message} : {}),
    ...(version && range ? {version: range} : {}),
    ...(version && minReleaseAge ? {minReleaseAge} : {}),
  };
}

/** Judges by everything that is known. Throws KernelError INSTALL_FORBIDDEN. */
export function judgePlugin(installer: RuleParts, facts: PluginFacts): void {
  judgeName(installer, facts.name);
  const rules = rulesOf(installer);
  const fault = rules && findRuleFault(rules, facts, installer.now());
  if (fault) throw forbidden(`${facts.name} ${facts.version}`, fault);
}

/** What an address is asked for that leads to an archive. */
export interface AddressFacts {
  readonly url: string;
  readonly what: string;
  /** As which the administrator may let it in. */
  readonly kinds: readonly ('tarball' | 'registry')[];
}

/**
 * Judges an address that a registry names, or that a server sends on to, before it is asked. Throws KernelError
 * INSTALL_FORBIDDEN.
 */
export function judgeAddress(installer: Pick<Installer, 'managed'>, {url, what, kinds}: AddressFacts): void {
  const {allowed, blocked} = rulesOf(installer)?.sources ?? {};
  const ask = (sources: ManagedRules['sources'], kind: 'tarball' | 'registry'): string | undefined => {
    const source: PluginSource =
      kind === 'registry' ? {type: 'registry', registry: url, wanted: ''} : {type: 'tarball', location: url};
    return findRuleFault({plugins: {}, keys: {}, sources}, {name: '', version: '0.0.0', source, capabilities: []});
  };
  const barred =
    blocked &&
    (['tarball', 'registry'] as const).map((kind) => ask({blocked}, kind)).find((fault) => fault !== undefined);
  const unlisted = allowed && kinds.map((kind) => ask({allowed}, kind));
  const fault = barred ?? (unlisted?.every((one) => one !== undefined) ? unlisted[0] : undefined);
  if (fault) throw forbidden(what, fault);
}

function judgeName({environment: {installs}}: RuleParts, name: string): void {
  if (isReserved(name, installs.reserved)) throw forbidden(name, `the name ${name} belongs to this distribution`);
}

function forbidden(name: string, fault: string): KernelError {
  return new KernelError('INSTALL_FORBIDDEN', `${name || 'This plugin'} may not be installed: ${fault}.`, {
    hint: 'gemini plugins list says what is installed and what may not load.',
  });
}
