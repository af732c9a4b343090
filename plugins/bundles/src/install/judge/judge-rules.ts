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
 * The administrator's rules; undefined when there are no rules. Throws KernelError MANAGED_UNMET when they cannot be
 * used.
 */
export function rulesOf({managed}: Pick<Installer, 'managed'>): ManagedRules | undefined {
  if (managed.kind !== 'unreadable') return managed.kind === 'rules' ? managed.rules : undefined;
  throw new KernelError(
    'MANAGED_UNMET',
    `Nothing can be installed, because the administrator's rules cannot be used: ${managed.reason}.`,
    {hint: 'Ask the administrator of this machine to fix them.'},
  );
}

export interface EarlyFacts {
  readonly source: PluginSource;
  /** Unknown while only the archive could say. */
  readonly name?: string | undefined;
  readonly version?: string;
  readonly published?: Date | undefined;
  /** What messages name instead of the plugin: rules cannot name a dependency. */
  readonly what?: string;
}

/**
 * Checks what is known before an archive is fetched: the source, and name, version and age as far as known. Throws
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
    throw forbidden(name, `the administrator allows plugins only in kernel ${rules.kernel}, this is ${KERNEL_VERSION}`);
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

/** The parts of a rule that can be checked before the archive is available; range and age only for a known version. */
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

/** Checks everything that is known. Throws KernelError INSTALL_FORBIDDEN. */
export function judgePlugin(installer: RuleParts, facts: PluginFacts): void {
  judgeName(installer, facts.name);
  const rules = rulesOf(installer);
  const fault = rules && findRuleFault(rules, facts, installer.now());
  if (fault) throw forbidden(`${facts.name} ${facts.version}`, fault);
}

/** The facts to check for an address that leads to an archive. */
export interface AddressFacts {
  readonly url: string;
  readonly what: string;
  /** The sources as which the administrator may allow it. */
  readonly kinds: readonly ('tarball' | 'registry')[];
}

/**
 * Checks an address that a registry names, or that a server redirects to, before it is requested. Throws KernelError
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
  if (isReserved(name, installs.reserved)) throw forbidden(name, `the name ${name} is reserved for this distribution`);
}

function forbidden(name: string, fault: string): KernelError {
  return new KernelError('INSTALL_FORBIDDEN', `${name || 'This plugin'} may not be installed: ${fault}.`, {
    hint: 'Run `gemini plugins list` to see what is installed and what may not load.',
  });
}
