import {KernelError} from '@gemini-kernel/kernel';
import {describeSource, type PublicKeys} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {holdStore} from '../install/commit/hold-store.js';
import type {Installer} from '../install/source/installer.js';
import {ownEntry} from '../own-entry.js';
import {rememberLock, sweepStore} from '../install/commit/sweep-store.js';
import {systemFault} from '../system-faults.js';
import {readMemory, type AppliedBundle} from './applied-bundles.js';
import {bringIntoForce, rulesText} from './bring-into-force.js';
import {findInterrupted, writeBundleFolder} from './bundle-folder.js';
import {findOwnFaults} from './bundle-rules.js';
import {claimScope, type BundleScope} from './bundle-scope.js';
import {judgeSignatures} from './bundle-signatures.js';
import {digest} from './digest.js';
import {examineBundle, keysThatCount, refuseFaults, type BundleFinding} from './examine-bundle.js';
import type {LockedArchive} from './locked-archives.js';
import type {OpenBundle} from './open-bundle.js';
import {readInstalled} from './read-installed.js';
import type {SettledKeys} from './settle-keys.js';
import {stageLocked} from './stage-locked.js';
import {rehearseRules} from './system-rules.js';

/** What the person is asked to agree to. */
export interface BundleProposal {
  readonly bundle: OpenBundle;
  readonly scope: BundleScope['name'];
  readonly findings: readonly BundleFinding[];
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly before: AppliedBundle | undefined;
  /** Installed plugins from elsewhere that have the same name and are replaced, as sentences. */
  readonly displaced: readonly string[];
  /** Plugins of the product that will not load. */
  readonly leftOut: readonly string[];
  /** Keys that will be trusted from then on, by name. */
  readonly fresh: PublicKeys;
}

export interface ApplyRequest {
  readonly bundle: OpenBundle;
  readonly scope: BundleScope;
  readonly installer: Installer;
  readonly keys: SettledKeys;
  take(archive: LockedArchive): Promise<Buffer>;
  /** Whether the person agrees. Throws KernelError BUNDLE_UNCONFIRMED when there is no one to ask. */
  agree(proposal: BundleProposal): Promise<boolean>;
}

/**
 * Applies a bundle: checks it, stages it beside the current state, asks for consent, then switches everything at once.
 * If it fails, the previous state remains. Throws KernelError with the code of the first check that failed.
 */
export async function applyBundle(request: ApplyRequest): Promise<AppliedBundle> {
  const {bundle, scope, keys} = request;
  const {lock} = bundle;
  await claimScope(scope);
  const managed = await rulesAround(bundle, scope);
  const before = Object.hasOwn(scope.memory.applied, lock.name) ? scope.memory.applied[lock.name] : undefined;
  const now = request.installer.now();
  const findings = examineBundle(bundle, {keys: keys.keys, managed, applied: before, now});
  refuseFaults(bundle, findings);
  const installer = {...request.installer, present: await presentBeside(bundle, request)};
  await using staged = await stageLocked(installer, lock, request.take).catch((error: unknown) => {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot write to ${installer.store}`,
      hint: 'The current state is unchanged. Free some space, then try again.',
    });
  });
  await agreeTo(request, {findings, manifests: staged.manifests, before});
  const signers = judgeSignatures(bundle.text, bundle.signatures, keysThatCount(keys.keys, managed))
    .filter(({fault}) => !fault)
    .map(({key}) => key);
  const applied: AppliedBundle = {serial: lock.serial, digest: digest(bundle.text), signers, at: now.toISOString()};
  await holdStore(installer, async () => {
    const memory = await resumeInterrupted(scope);
    // Another process may have applied a bundle since this one was checked.
    refuseFaults(
      bundle,
      examineBundle(bundle, {
        keys: keys.keys,
        managed,
        applied: Object.hasOwn(memory.applied, lock.name) ? memory.applied[lock.name] : undefined,
        now,
      }),
    );
    await rememberLock(installer);
    await staged.place();
    await commit(bundle, scope, {applied, keys: keys.fresh});
    await sweepStore(installer);
  });
  return applied;
}

/** Asks for consent to a staged bundle. Throws KernelError BUNDLE_UNCONFIRMED. */
async function agreeTo(
  {bundle, scope, installer, keys, agree}: ApplyRequest,
  found: Pick<BundleProposal, 'findings' | 'manifests' | 'before'>,
): Promise<void> {
  const proposal: BundleProposal = {
    ...found,
    bundle,
    scope: scope.name,
    displaced: await findDisplaced(bundle, installer.lock),
    leftOut: leftOutBy(bundle, installer),
    fresh: keys.fresh,
  };
  if (await agree(proposal)) return;
  throw new KernelError('BUNDLE_UNCONFIRMED', `The bundle ${bundle.lock.name} was not applied.`, {
    hint: 'The current state is unchanged.',
  });
}

/** Finishes what an interrupted process began, and returns what is remembered then. Call it while you hold the lock. */
export async function resumeInterrupted(
  scope: Pick<BundleScope, 'name' | 'places' | 'environment'>,
): Promise<BundleScope['memory']> {
  for (const name of await findInterrupted(scope.places.bundles)) await bringIntoForce(scope, name);
  return readMemory(scope.places.bundles);
}

async function commit(
  bundle: OpenBundle,
  scope: BundleScope,
  remember: {readonly applied: AppliedBundle; readonly keys: PublicKeys},
): Promise<void> {
  try {
    await writeBundleFolder(scope.places.bundles, bundle, remember);
    await bringIntoForce(scope, bundle.lock.name);
  } catch (error) {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot apply the bundle ${bundle.lock.name}`,
      hint: 'The current state is unchanged. Free some space or grant write access, then try again.',
    });
  }
}

/**
 * The administrator's rules without those of an earlier release of the bundle. With --system, the new rules are first
 * tried together with the others.
 */
async function rulesAround(
  {lock}: OpenBundle,
  {name, managed, environment}: BundleScope,
): Promise<BundleScope['managed']> {
  if (name === 'user') return managed;
  const {system} = environment.installs;
  const joined = await rehearseRules(system, lock.name, {text: rulesText(lock), writer: environment.newId()});
  const faults =
    joined.kind === 'rules'
      ? findOwnFaults(lock, joined.rules)
      : [joined.kind === 'unreadable' ? joined.reason : 'they would be empty'];
  if (faults.length > 0)
    throw new KernelError(
      'BUNDLE_REFUSED',
      `The rules of the bundle ${lock.name} conflict with the administrator's: ${faults.join(' ')}`,
      {hint: `Fix the files in ${system.rules}, or ask the author of the bundle.`},
    );
  return rehearseRules(system, lock.name, {writer: environment.newId()});
}

/** The plugins that will load together with those of the bundle. */
async function presentBeside(
  {
    lock: {
      name,
      plugins: {product},
    },
  }: OpenBundle,
  {installer}: ApplyRequest,
): Promise<Installer['present']> {
  const {plugins} = await readInstalled(installer.lock);
  const isOwn = (plugin: string): boolean => {
    const source = ownEntry(plugins, plugin)?.source;
    return source?.type === 'bundle' && source.bundle === name;
  };
  return installer.present.filter(({origin, manifest}) =>
    origin === 'core' ? product.length === 0 || product.includes(manifest.name) : !isOwn(manifest.name),
  );
}

function leftOutBy(
  {
    lock: {
      plugins: {product},
    },
  }: OpenBundle,
  {present}: Installer,
): readonly string[] {
  const ofProduct = present.filter(({origin}) => origin === 'core').map(({manifest}) => manifest.name);
  return product.length === 0 ? [] : ofProduct.filter((name) => !product.includes(name)).sort();
}

async function findDisplaced({lock}: OpenBundle, file: string): Promise<readonly string[]> {
  const {plugins} = await readInstalled(file);
  return Object.keys(lock.plugins.installed).flatMap((name) => {
    const present = ownEntry(plugins, name);
    if (!present || (present.source.type === 'bundle' && present.source.bundle === lock.name)) return [];
    return [`${name} ${present.version} from ${describeSource(present.source)}`];
  });
}
