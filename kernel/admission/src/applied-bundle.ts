import {createHash} from 'node:crypto';
import {lstatSync} from 'node:fs';
import {basename, join} from 'node:path';
import {readTextSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {ManagedReading} from './read-managed-rules.js';
import {findSignatureFault, parseSignature, type PublicKeys} from './signature.js';

/** What is remembered of a bundle that was applied, also after it was removed. */
export interface RememberedBundle {
  readonly serial: number;
  /** Of the text of its lock. */
  readonly digest: string;
  readonly signers: readonly string[];
  readonly at: string;
}

/** What one scope remembers of bundles: the last release of each, and the keys that a person agreed to. */
export interface BundleMemory {
  readonly applied: Readonly<Record<string, RememberedBundle>>;
  readonly keys: PublicKeys;
}

/** The part of `bundle.lock.json` that a start needs. */
export interface AppliedLock {
  readonly name: string;
  readonly serial: number;
  readonly expires?: string;
  readonly plugins: {readonly product: readonly string[]};
  readonly policies: readonly {readonly path: string; readonly digest: string}[];
  readonly settings?: {
    readonly defaults?: Readonly<Record<string, unknown>>;
    readonly enforced?: Readonly<Record<string, unknown>>;
  };
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly extensions?: Readonly<Record<string, {readonly tree: string}>>;
  readonly skills?: AppliedLock['extensions'];
}

export interface AppliedPlace {
  /** The folder that it was applied to. */
  readonly root: string;
  /** Of `bundle.lock.json`. */
  readonly schema: JSONSchema;
  /** Undefined where only an administrator can write: then being there is enough. */
  readonly memory: BundleMemory | undefined;
  /** The keys one of which must have signed it, where the administrator asks for that. */
  readonly signers?: PublicKeys | undefined;
}

/** What lies in the folder of a bundle, and why it may not be obeyed: fragments of sentences, none when it may. */
export interface AppliedReading {
  readonly lock: AppliedLock;
  readonly faults: readonly string[];
}

/** The name of a scope's memory in its folder of bundles. */
export const BUNDLE_MEMORY = 'memory.json';

/**
 * Reads the memory of a scope; empty when there is none. Throws Error when it is damaged: forgetting what was applied
 * would let an old release pass.
 */
export function readBundleMemory(bundles: string): BundleMemory {
  let text: string;
  try {
    text = readRegular(join(bundles, BUNDLE_MEMORY));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {applied: {}, keys: {}};
    throw error;
  }
  const {applied, keys} = JSON.parse(text) as Partial<BundleMemory>;
  if (typeof applied !== 'object' || typeof keys !== 'object') throw new Error('it is in no known form');
  return {applied, keys};
}

/**
 * The keys by one of which a person's bundle must be signed; undefined when the administrator does not ask for that.
 */
export function bundleSignersOf(managed: ManagedReading): PublicKeys | undefined {
  if (managed.kind === 'none') return undefined;
  if (managed.kind === 'unreadable') return {};
  const {bundleSigners, keys} = managed.rules;
  return bundleSigners && Object.fromEntries(Object.entries(keys).filter(([name]) => bundleSigners.includes(name)));
}

/**
 * What a bundle's signature is over. The first line keeps the signature of a plugin, or of anything else, from
 * standing in for it.
 */
export function signedBundleText(lock: string): string {
  return `gemini-bundle-signature 1\n${lock}`;
}

/**
 * Holds an applied bundle against what is remembered of it. The start and `gemini bundle status` both ask this. Throws
 * Error when its lock cannot be read.
 */
export async function readAppliedBundle({root, schema, memory, signers}: AppliedPlace): Promise<AppliedReading> {
  const text = readRegular(join(root, 'bundle.lock.json'));
  const lock = JSON.parse(text) as AppliedLock;
  const violations = await findViolations(schema, lock, 'lock');
  if (violations.length > 0)
    return {lock, faults: [`its lock is not valid: ${violations.slice(0, 3).join(' ').replace(/\.$/, '')}`]};
  const known = memory && Object.hasOwn(memory.applied, lock.name) ? memory.applied[lock.name] : undefined;
  const unknown = memory && !known ? findSignerFault(root, text, memory.keys) : undefined;
  const unsigned = signers && findSignerFault(root, text, signers);
  const faults = [
    // While a release takes the place of the one before, its folder has another name.
    lock.name === basename(root).replace(/\+new$/, '') ? undefined : `it calls itself ${lock.name}`,
    known && known.digest !== digestOf(text) ? 'its lock is not the one that was applied' : undefined,
    unknown && `nothing says who applied it, and ${unknown}`,
    unsigned,
    ...lock.policies.map((policy) => findPolicyFault(root, policy)),
  ];
  return {lock, faults: faults.filter((fault) => fault !== undefined)};
}

function findSignerFault(root: string, text: string, keys: PublicKeys): string | undefined {
  try {
    const signatures = JSON.parse(readRegular(join(root, 'bundle.lock.json.sig'))) as unknown[];
    const faults = signatures.map((one) =>
      findSignatureFault(signedBundleText(text), parseSignature(JSON.stringify(one)), keys),
    );
    return faults.includes(undefined) ? undefined : (faults[0] ?? 'it is not signed');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it is not signed';
    return `its signature cannot be read: ${messageOf(error)}`;
  }
}

function findPolicyFault(root: string, {path, digest}: AppliedLock['policies'][number]): string | undefined {
  try {
    return digestOf(readRegular(join(root, path))) === digest ? undefined : `its policy ${path} was changed`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? `its policy ${path} is missing`
      : `its policy ${path} cannot be read: ${messageOf(error)}`;
  }
}

/** A link could lead to what others write. */
function readRegular(path: string): string {
  if (!lstatSync(path).isFile()) throw new Error(`${path} is no regular file`);
  return readTextSync(path);
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}
