import {KernelError} from '@gemini-kernel/kernel';
import type {ManagedReading, ManagedRules, PublicKeys} from '@gemini-kernel/admission';
import {KERNEL_VERSION, satisfies} from '@gemini-kernel/kernel/host';
import {integrityOf} from '../install/fetch/integrity.js';
import type {AppliedBundle} from './applied-bundles.js';
import {findOwnFaults} from './bundle-rules.js';
import {judgeSignatures} from './bundle-signatures.js';
import {digest} from './digest.js';
import {allArchives} from './locked-archives.js';
import {archiveName, type OpenBundle} from './open-bundle.js';

/** One thing that was looked at, what was found, and the code of the refusal when it is not in order. */
export interface BundleFinding {
  readonly subject: 'signature' | 'kernel' | 'expiry' | 'serial' | 'rules' | 'policies' | 'archives';
  readonly text: string;
  readonly code?: string;
}

/** What a bundle is held against. */
export interface Circumstances {
  /** Keys that count without the administrator's. */
  readonly keys: PublicKeys;
  readonly managed: ManagedReading;
  readonly applied: AppliedBundle | undefined;
  readonly now: Date;
}

/** Looks at everything that can be judged before anything is unpacked, in the order in which it counts. */
export function examineBundle(bundle: OpenBundle, circumstances: Circumstances): readonly BundleFinding[] {
  const {managed} = circumstances;
  if (managed.kind === 'unreadable')
    return [
      {
        subject: 'rules',
        code: 'BUNDLE_REFUSED',
        text: `the administrator's rules cannot be relied on: ${managed.reason}`,
      },
    ];
  return [
    judgeSigners(bundle, keysThatCount(circumstances.keys, managed)),
    judgeKernel(bundle, managed.kind === 'rules' ? managed.rules : undefined),
    judgeExpiry(bundle, circumstances.now),
    judgeSerial(bundle, circumstances.applied),
    judgeRules(bundle, managed.kind === 'rules' ? managed.rules : undefined),
    judgePolicies(bundle),
    ...(bundle.kind === 'archive' ? [judgeArchives(bundle)] : []),
  ];
}

/** Throws the KernelError of the first finding that is not in order. */
export function refuseFaults({lock: {name, serial}}: OpenBundle, findings: readonly BundleFinding[]): void {
  const fault = findings.find(({code}) => code !== undefined);
  if (fault?.code === undefined) return;
  throw new KernelError(fault.code, `The bundle ${name} (serial ${serial}) is refused: ${fault.text}.`, {
    hint: HINTS[fault.code],
    data: {findings},
  });
}

const HINTS: Readonly<Record<string, string>> = {
  BUNDLE_UNTRUSTED: 'Get it from whoever signs bundles for you; --key NAME=BASE64 makes a key of theirs count.',
  BUNDLE_EXPIRED: 'Ask whoever made it for a newer one.',
  BUNDLE_REPLAYED: 'To go back, have the earlier content released with a higher serial.',
  BUNDLE_REFUSED: 'Ask the administrator; gemini bundle status shows the rules.',
  BUNDLE_TAMPERED: 'Get it again from where it was made.',
  BUNDLE_ARCHIVE_MISSING: 'Have it exported anew.',
  BUNDLE_UNFIT: 'Ask whoever made it for one that fits this version.',
};

/** The keys that can vouch for a bundle: where the administrator names signers of bundles, theirs and no others. */
export function keysThatCount(keys: PublicKeys, managed: ManagedReading): PublicKeys {
  if (managed.kind !== 'rules') return keys;
  const {keys: theirs, bundleSigners} = managed.rules;
  return bundleSigners
    ? Object.fromEntries(Object.entries(theirs).filter(([name]) => bundleSigners.includes(name)))
    : {...keys, ...theirs};
}

function judgeSigners({text, signatures}: OpenBundle, keys: PublicKeys): BundleFinding {
  const judged = judgeSignatures(text, signatures, keys);
  const [good, known] = [
    judged.filter(({fault}) => !fault).map(({key}) => key),
    judged.filter(({key, fault}) => fault && Object.hasOwn(keys, key)),
  ];
  if (known[0]?.fault) return {subject: 'signature', code: 'BUNDLE_UNTRUSTED', text: known[0].fault};
  if (good.length > 0) return {subject: 'signature', text: `signed by ${good.join(' and ')}`};
  return {subject: 'signature', code: 'BUNDLE_UNTRUSTED', text: judged[0]?.fault ?? 'it is not signed'};
}

function judgeKernel({lock: {kernel}}: OpenBundle, rules: ManagedRules | undefined): BundleFinding {
  for (const range of [kernel, rules?.kernel])
    if (range !== undefined && !satisfies(KERNEL_VERSION, range))
      return {subject: 'kernel', code: 'BUNDLE_UNFIT', text: `it is for kernel ${range}, this is ${KERNEL_VERSION}`};
  return {
    subject: 'kernel',
    text:
      kernel === undefined
        ? `it names no kernel; this is ${KERNEL_VERSION}`
        : `kernel ${KERNEL_VERSION} is within ${kernel}`,
  };
}

function judgeExpiry({lock: {expires}}: OpenBundle, now: Date): BundleFinding {
  if (expires === undefined) return {subject: 'expiry', text: 'it does not expire'};
  // A text that is no time is over.
  return now.getTime() < Date.parse(expires)
    ? {subject: 'expiry', text: `it holds until ${expires}`}
    : {subject: 'expiry', code: 'BUNDLE_EXPIRED', text: `it expired at ${expires}`};
}

function judgeSerial({lock: {serial}, text}: OpenBundle, applied: AppliedBundle | undefined): BundleFinding {
  if (!applied) return {subject: 'serial', text: `serial ${serial}; none was applied before`};
  if (serial < applied.serial)
    return {
      subject: 'serial',
      code: 'BUNDLE_REPLAYED',
      text: `serial ${applied.serial} was applied before, and this is ${serial}`,
    };
  if (serial === applied.serial && applied.digest !== digest(text))
    return {subject: 'serial', code: 'BUNDLE_REPLAYED', text: `another one with serial ${serial} was applied before`};
  return {
    subject: 'serial',
    text:
      serial === applied.serial
        ? `serial ${serial}, which was applied before`
        : `serial ${serial}, after ${applied.serial}`,
  };
}

function judgeRules({lock}: OpenBundle, rules: ManagedRules | undefined): BundleFinding {
  const faults = rules ? findOwnFaults(lock, rules) : [];
  return faults.length > 0
    ? {subject: 'rules', code: 'BUNDLE_REFUSED', text: faults.join(' ').replace(/\.$/, '')}
    : {
        subject: 'rules',
        text: rules ? 'the administrator lets in all that it brings' : 'no administrator has rules here',
      };
}

function judgePolicies({lock, policies}: OpenBundle): BundleFinding {
  for (const {path, digest: wanted} of lock.policies) {
    const bytes = policies.get(path);
    if (!bytes) return {subject: 'policies', code: 'BUNDLE_TAMPERED', text: `its policy ${path} is missing`};
    if (digest(bytes) !== wanted)
      return {subject: 'policies', code: 'BUNDLE_TAMPERED', text: `its policy ${path} is not the one that was locked`};
  }
  return {
    subject: 'policies',
    text: lock.policies.length === 0 ? 'it brings none' : `${lock.policies.length} as they were locked`,
  };
}

function judgeArchives({lock, archives}: OpenBundle): BundleFinding {
  const wanted = new Map(allArchives(lock).map((one) => [archiveName(one.integrity), one]));
  for (const [name, one] of wanted) {
    const [bytes, what] = [archives.get(name), `${one.place.slice(13)} ${one.version}`];
    if (!bytes) return {subject: 'archives', code: 'BUNDLE_ARCHIVE_MISSING', text: `the archive of ${what} is missing`};
    if (integrityOf(bytes) !== one.integrity)
      return {
        subject: 'archives',
        code: 'BUNDLE_TAMPERED',
        text: `the archive of ${what} is not the one that was locked`,
      };
  }
  const foreign = [...archives.keys()].find((name) => !wanted.has(name));
  return foreign === undefined
    ? {subject: 'archives', text: `${archives.size} as they were locked`}
    : {subject: 'archives', code: 'BUNDLE_TAMPERED', text: `it holds ${foreign}, of which the lock says nothing`};
}
