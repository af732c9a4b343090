import {KernelError} from '@gemini-kernel/kernel';
import type {ManagedReading, ManagedRules, PublicKeys} from '@gemini-kernel/admission';
import {KERNEL_VERSION, satisfies} from '@gemini-kernel/kernel/host';
import {integrityOf} from '../install/fetch/integrity.js';
import type {AppliedBundle} from './applied-bundles.js';
import {filesOf, foldersOf} from './brought-folders.js';
import type {LockedFile} from './bundle-lock.js';
import {findOwnFaults} from './bundle-rules.js';
import {judgeSignatures} from './bundle-signatures.js';
import {digest} from './digest.js';
import {allArchives} from './locked-archives.js';
import {archiveName, type OpenBundle} from './open-bundle.js';

/** One check: what was checked, the result, and the error code if it failed. */
export interface BundleFinding {
  readonly subject: 'signature' | 'kernel' | 'expiry' | 'serial' | 'rules' | 'policies' | 'folders' | 'archives';
  readonly text: string;
  readonly code?: string;
}

/** What a bundle is checked against. */
export interface Circumstances {
  /** Keys that are trusted besides the administrator's. */
  readonly keys: PublicKeys;
  readonly managed: ManagedReading;
  readonly applied: AppliedBundle | undefined;
  readonly now: Date;
}

/** Checks everything that can be checked before unpacking, most important first. */
export function examineBundle(bundle: OpenBundle, circumstances: Circumstances): readonly BundleFinding[] {
  const {managed} = circumstances;
  if (managed.kind === 'unreadable')
    return [
      {
        subject: 'rules',
        code: 'BUNDLE_REFUSED',
        text: `the administrator's rules cannot be used: ${managed.reason}`,
      },
    ];
  return [
    judgeSigners(bundle, keysThatCount(circumstances.keys, managed)),
    judgeKernel(bundle, managed.kind === 'rules' ? managed.rules : undefined),
    judgeExpiry(bundle, circumstances.now),
    judgeSerial(bundle, circumstances.applied),
    judgeRules(bundle, managed.kind === 'rules' ? managed.rules : undefined),
    judgePolicies(bundle),
    ...(foldersOf(bundle.lock).length > 0 ? [judgeFolders(bundle)] : []),
    ...(bundle.kind === 'archive' ? [judgeArchives(bundle)] : []),
  ];
}

/** Throws the KernelError of the first check that failed. */
export function refuseFaults({lock: {name, serial}}: OpenBundle, findings: readonly BundleFinding[]): void {
  const fault = findings.find(({code}) => code !== undefined);
  if (fault?.code === undefined) return;
  throw new KernelError(fault.code, `The bundle ${name} (serial ${serial}) is refused: ${fault.text}.`, {
    hint: HINTS[fault.code],
    data: {findings},
  });
}

const HINTS: Readonly<Record<string, string>> = {
  BUNDLE_UNTRUSTED: 'Get it from the people who sign bundles for you, or trust their key with --key NAME=BASE64.',
  BUNDLE_EXPIRED: 'Ask its author for a newer one.',
  BUNDLE_REPLAYED: 'To go back, have the earlier content released with a higher serial.',
  BUNDLE_REFUSED: 'Ask the administrator. `gemini bundle status` shows the rules.',
  BUNDLE_TAMPERED: 'Get it from its source again.',
  BUNDLE_ARCHIVE_MISSING: 'Ask its author to export it again.',
  BUNDLE_UNFIT: 'Ask its author for one that fits this version.',
};

/** The keys that can vouch for a bundle: if the administrator names signers of bundles, only those. */
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
      return {subject: 'kernel', code: 'BUNDLE_UNFIT', text: `it requires kernel ${range}, this is ${KERNEL_VERSION}`};
  return {
    subject: 'kernel',
    text:
      kernel === undefined
        ? `it names no kernel version; this is ${KERNEL_VERSION}`
        : `kernel ${KERNEL_VERSION} satisfies ${kernel}`,
  };
}

function judgeExpiry({lock: {expires}}: OpenBundle, now: Date): BundleFinding {
  if (expires === undefined) return {subject: 'expiry', text: 'it does not expire'};
  // An invalid date counts as expired.
  return now.getTime() < Date.parse(expires)
    ? {subject: 'expiry', text: `it is valid until ${expires}`}
    : {subject: 'expiry', code: 'BUNDLE_EXPIRED', text: `it expired at ${expires}`};
}

function judgeSerial({lock: {serial}, text}: OpenBundle, applied: AppliedBundle | undefined): BundleFinding {
  if (!applied) return {subject: 'serial', text: `serial ${serial}, the first one applied here`};
  if (serial < applied.serial)
    return {
      subject: 'serial',
      code: 'BUNDLE_REPLAYED',
      text: `serial ${applied.serial} was applied before, and this is ${serial}`,
    };
  if (serial === applied.serial && applied.digest !== digest(text))
    return {
      subject: 'serial',
      code: 'BUNDLE_REPLAYED',
      text: `another bundle with serial ${serial} was applied before`,
    };
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
        text: rules ? "the administrator's rules allow everything it brings" : "there are no administrator's rules",
      };
}

function judgePolicies({lock: {policies}, files}: OpenBundle): BundleFinding {
  const text = findFileFault('its policy', policies, files);
  if (text !== undefined) return {subject: 'policies', code: 'BUNDLE_TAMPERED', text};
  return {
    subject: 'policies',
    text: policies.length === 0 ? 'it has no policies' : `${policies.length} as they were locked`,
  };
}

function judgeFolders({lock, files}: OpenBundle): BundleFinding {
  const text = findFileFault('its file', filesOf(lock), files);
  if (text !== undefined) return {subject: 'folders', code: 'BUNDLE_TAMPERED', text};
  return {subject: 'folders', text: `${foldersOf(lock).length} as they were locked`};
}

function findFileFault(
  what: string,
  locked: readonly LockedFile[],
  files: ReadonlyMap<string, Buffer>,
): string | undefined {
  for (const {path, digest: wanted} of locked) {
    const bytes = files.get(path);
    if (!bytes) return `${what} ${path} is missing`;
    if (digest(bytes) !== wanted) return `${what} ${path} differs from the one that was locked`;
  }
  return undefined;
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
        text: `the archive of ${what} differs from the one that was locked`,
      };
  }
  const foreign = [...archives.keys()].find((name) => !wanted.has(name));
  return foreign === undefined
    ? {subject: 'archives', text: `${archives.size} as they were locked`}
    : {subject: 'archives', code: 'BUNDLE_TAMPERED', text: `it contains ${foreign}, which the lock does not name`};
}
