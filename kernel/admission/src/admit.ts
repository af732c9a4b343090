import {messageOf} from '@gemini-kernel/kernel';
import {includesCapability, KERNEL_VERSION, satisfies, type Manifest} from '@gemini-kernel/kernel/host';
import type {LockedPlugin} from './lock.js';
import {findRuleFault, namesContent, ruleFor} from './managed-rules.js';
import type {ManagedReading} from './read-managed-rules.js';

/** A plugin that would like to load. */
export interface Candidate {
  readonly root: string;
  readonly manifest: Manifest;
  /** What the lock says it was when somebody said yes to it. */
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
  const {
    manifest: {name, version, kernel, capabilities = []},
    locked,
  } = candidate;
  if (isReserved(name, rules.reserved)) return `the name ${name} belongs to this distribution`;
  if (!satisfies(KERNEL_VERSION, kernel)) return `it needs kernel ${kernel}, this is ${KERNEL_VERSION}`;
  if (!locked) return 'it is not in the lock';
  if (locked.version !== version && locked.source.type !== 'link')
    return `the lock says version ${locked.version}, found ${version}`;
  const more = capabilities.filter((one) => !locked.capabilities.some((agreed) => includesCapability(agreed, one)));
  if (more.length > 0)
    return (
      `it wants ${more.join(', ')}, which nobody agreed to; run gemini plugins ` +
      `${locked.source.type === 'link' ? 'link' : 'install'} again`
    );
  const isFrozen = rules.frozen || (rules.managed.kind === 'rules' && rules.managed.rules.frozen === true);
  if (isFrozen && locked.source.type === 'link')
    return 'it is a link, and only what is pinned by its content may load (frozen)';
  return findManagedRefusal(candidate, rules.managed, locked);
}

/** Whether a name is among those that only the distribution's own plugins may have. */
export function isReserved(name: string, reserved: readonly string[]): boolean {
  return reserved.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
}

/** Whether every start must hash a plugin anew, because an administrator names what it holds. */
export function mustProve(name: string, managed: ManagedReading): boolean {
  return managed.kind === 'rules' && namesContent(ruleFor(managed.rules, name));
}

async function findManagedRefusal(
  {root, manifest, isProven}: Candidate,
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
  if (rules.kernel !== undefined && !satisfies(KERNEL_VERSION, rules.kernel))
    return `the administrator lets plugins load in kernel ${rules.kernel} only, this is ${KERNEL_VERSION}`;
  const {name, version, capabilities = []} = manifest;
  const {source, integrity, tree, provenance} = locked;
  const rule = ruleFor(rules, name);
  if (namesContent(rule) && source.type === 'link')
    return 'it is a link, and the administrator names what it must hold';
  try {
    // What a person's lock says of a signer, an archive or where it was built is what a person could have written
    // there.
    if (!isProven && !rule.tree && (rule.integrity ?? rule.provenance))
      return (
        `the administrator names ${rule.integrity ? 'its archive' : 'where it was built'} only, which proves ` +
        'nothing at a start; gemini plugins inspect shows the tree to name'
      );
    const signer = rule.signers ? (await import('./signature.js')).verifyAlone(root, name, rules.keys) : undefined;
    return findRuleFault(rules, {
      name,
      version,
      source,
      capabilities,
      ...(integrity ? {integrity} : {}),
      ...(tree ? {tree} : {}),
      ...(signer ? {signer} : {}),
      ...(provenance ? {provenance} : {}),
    });
  } catch (error) {
    return messageOf(error);
  }
}
