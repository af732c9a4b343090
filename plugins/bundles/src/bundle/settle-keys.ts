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
  /** All keys that count now. */
  readonly keys: PublicKeys;
  /** The keys to remember once the bundle is applied. */
  readonly fresh: PublicKeys;
}

/**
 * The keys that a bundle is checked with. When you meet a signer for the first time, and the administrator named no
 * signers, the key in the bundle is shown by its fingerprint; only a person can trust it. `ask` returns false when
 * there is no one to ask.
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
    title: `The bundle ${bundle.lock.name} is signed by ${oneLine(first.key)}, a signer you have not trusted before.`,
    text:
      `The fingerprint of its key is\n  ${fingerprint(key)}\nAsk the signer over another channel whether ` +
      'this is their key.',
    about: {kind: 'bundle-key', name: first.key, fingerprint: fingerprint(key)},
    label: 'Trust this key from now on?',
  });
  return (await ask(form))
    ? {keys: {...keys, [first.key]: key}, fresh: {...given, [first.key]: key}}
    : {keys, fresh: given};
}
