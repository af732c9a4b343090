import type {Form} from '@gemini-kernel/kernel';
import type {PublicKeys} from '@gemini-kernel/admission';
import type {BundleMemory} from './applied-bundles.js';
import type {BundleScope} from './bundle-scope.js';
import {judgeSignatures} from './bundle-signatures.js';
import {keysThatCount} from './examine-bundle.js';
import type {OpenBundle} from './open-bundle.js';
import {fingerprint} from './signing-key.js';
import {agreementForm} from '../agreement.js';
import {oneLine} from '../one-line.js';

export interface SettledKeys {
  /** All that count now. */
  readonly keys: PublicKeys;
  /** Those that are to be remembered once the bundle is applied. */
  readonly fresh: PublicKeys;
}

/**
 * The keys by which a bundle is judged. The first time somebody meets a signer, and no administrator named any, the key
 * that the bundle itself carries is shown by its fingerprint; only a person can let it count. `ask` says false when no
 * one is there.
 */
export async function settleKeys(
  bundle: OpenBundle,
  {
    memory,
    managed,
    given,
    ask,
  }: Pick<BundleScope, 'managed'> & {
    readonly memory: Pick<BundleMemory, 'keys'>;
    readonly given: PublicKeys;
    readonly ask: (form: Form) => Promise<boolean>;
  },
): Promise<SettledKeys> {
  const keys = {...memory.keys, ...given};
  const counting = keysThatCount(keys, managed);
  const isClosed =
    managed.kind !== 'none' && (managed.kind === 'unreadable' || managed.rules.bundleSigners !== undefined);
  if (
    isClosed ||
    judgeSignatures(bundle.text, bundle.signatures, counting).some(
      ({key, fault}) => !fault || Object.hasOwn(counting, key),
    )
  )
    return {keys, fresh: given};
  const carried = bundle.lock.keys ?? {};
  const [first] = judgeSignatures(bundle.text, bundle.signatures, carried).filter(({fault}) => !fault);
  const key = first && carried[first.key];
  if (!first || key === undefined) return {keys, fresh: given};
  const form = agreementForm({
    title: `The bundle ${bundle.lock.name} is signed by ${oneLine(first.key)}, whom you have not met before.`,
    text:
      `The fingerprint of the key it carries is\n  ${fingerprint(key)}\n` +
      'Ask the signer, by another way than the bundle came, whether it is theirs.',
    about: {kind: 'bundle-key', name: first.key, fingerprint: fingerprint(key)},
    label: 'Let this key count from now on?',
  });
  return (await ask(form))
    ? {keys: {...keys, [first.key]: key}, fresh: {...given, [first.key]: key}}
    : {keys, fresh: given};
}
