import {messageOf} from '@gemini-kernel/kernel';
import {includesCapability, KERNEL_VERSION, satisfies, type Manifest} from '@gemini-kernel/kernel/host';
import type {LockedPlugin} from './lock.js';
import {findRuleFault, namesContent, ruleFor, type ManagedRules, type PluginRule} from './managed-rules.js';
import type {ManagedReading} from './read-managed-rules.js';

/** A plugin that would like to load. */
export interface Candidate {
  readonly root: string;
  readonly manifest: Manifest;
  /** What the lock says it was when a person approved it. */
  readonly locked: LockedPlugin | undefined;
  /** Whether lock and files are where only an administrator can write. */
  readonly isProven: boolean;
}

export interface AdmissionRules {
  /** Names that only the distribution's own plugins may have, as exact names or `@scope/`. */
  readonly reserved: readonly string[];
  readonly managed: ManagedReading;
  /** Whether only what is pinned by its content may load. */
  readonly frozen: boolean;
}

/**
 * Why an installed plugin may not load, as a sentence, or undefined when it may once `verifyTree` found its files as
 * they were. Decided before any of its code is read.
 */
export async function findRefusal(candidate: Candidate, rules: AdmissionRules): Promise<string | undefined> {
  const {manifest, locked} = candidate;
  if (isReserved(manifest.name, rules.reserved)) return `the name ${manifest.name} belongs to this distribution`;
  if (!satisfies(KERNEL_VERSION, manifest.kernel))
    return `it needs kernel ${manifest.kernel}, this is ${KERNEL_VERSION}`;
  if (!locked) return 'it is not in the lock';
  const isFrozen = rules.frozen || (rules.managed.kind === 'rules' && rules.managed.rules.frozen === true);
  return findLockFault(manifest, locked, isFrozen) ?? findManagedRefusal(candidate, rules.managed, locked);
}

/** How a plugin differs from what the lock says of it. */
function findLockFault(
  {version, capabilities = []}: Manifest,
  {version: agreed, source: {type}, capabilities: granted}: LockedPlugin,
  isFrozen: boolean,
): string | undefined {
  if (agreed !== version && type !== 'link') return `the lock says version ${agreed}, found ${version}`;
  const more = capabilities.filter((one) => !granted.some((own) => includesCapability(own, one)));
  const verb = type === 'link' ? 'link' : 'install';
  if (more.length > 0)
    return `it wants ${more.join(', ')}, which you have not approved; run gemini plugins ${verb} again`;
  return isFrozen && type === 'link'
    ? 'it is a link, and only what is pinned by its content may load (frozen)'
    : undefined;
}

/** Whether a name is among those that only the distribution's own plugins may have. */
export function isReserved(name: string, reserved: readonly string[]): boolean {
  return reserved.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
}

/** Whether every start must hash a plugin again, because an administrator names what it holds. */
export function mustProve(name: string, managed: ManagedReading): boolean {
  return managed.kind === 'rules' && namesContent(ruleFor(managed.rules, name));
}

async function findManagedRefusal(
  {root, manifest: {name, version, capabilities: declared = [], optional = []}, isProven}: Candidate,
  managed: ManagedReading,
  locked: LockedPlugin,
): Promise<string | undefined> {
  if (managed.kind === 'none') return undefined;
  if (managed.kind === 'unreadable')
    return (
      `the administrator's rules cannot be relied on, so only what came with the product may ` +
      `load: ${managed.reason}`
    );
  const {rules} = managed;
  const rule = ruleFor(rules, name);
  try {
    const fault = findKernelFault(rules) ?? findProofFault(rule, locked, isProven);
    if (fault) return fault;
    const signer = rule.signers ? (await import('./signature.js')).verifyAlone(root, name, rules.keys) : undefined;
    const {source, integrity, tree, provenance} = locked;
    // What an administrator blocks is not asked for either.
    const capabilities = [...declared, ...optional];
    const known = Object.entries({integrity, tree, signer, provenance}).filter(([, value]) => value !== undefined);
    return findRuleFault(rules, {name, version, source, capabilities, ...Object.fromEntries(known)});
  } catch (error) {
    return messageOf(error);
  }
}

function findKernelFault({kernel}: ManagedRules): string | undefined {
  return kernel === undefined || satisfies(KERNEL_VERSION, kernel)
    ? undefined
    : `the administrator lets plugins load in kernel ${kernel} only, this is ${KERNEL_VERSION}`;
}

/**
 * Why a rule cannot be held against a lock: what a person's lock says of a signer, an archive or where it was built is
 * what a person could have written there.
 */
function findProofFault(rule: PluginRule, {source}: LockedPlugin, isProven: boolean): string | undefined {
  if (namesContent(rule) && source.type === 'link')
    return 'it is a link, and the administrator names what it must hold';
  if (isProven || rule.tree || !(rule.integrity ?? rule.provenance)) return undefined;
  return (
    `the administrator names ${rule.integrity ? 'its archive' : 'where it was built'} only, which proves ` +
    'nothing at a start; gemini plugins inspect shows the tree to name'
  );
}
