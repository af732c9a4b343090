import {
  findSignatureFault,
  parseSignature,
  signedBundleText,
  signText,
  type PublicKeys,
  type Signature,
  type SigningKey,
} from '@gemini-kernel/admission';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** What one signature of a lock is worth here; `fault` says why it does not count. */
export interface SignatureJudgement {
  readonly key: string;
  readonly fault?: string;
}

/**
 * The signatures of a lock and one more; an earlier one by the same key is replaced. Throws KernelError
 * BUNDLE_KEY_UNUSABLE.
 */
export function addSignature(lock: string, before: readonly Signature[], key: SigningKey): readonly Signature[] {
  try {
    const others = before.filter((one) => one.key !== key.name);
    return [...others, signText(signedBundleText(lock), key)].sort((a, b) => (a.key < b.key ? -1 : 1));
  } catch (cause) {
    throw new KernelError('BUNDLE_KEY_UNUSABLE', `Cannot sign with the key ${key.name}: ${messageOf(cause)}`, {
      cause,
      hint: 'Make a usable key with `gemini bundle key`.',
    });
  }
}

/** What each signature is worth, given these known keys. */
export function judgeSignatures(
  lock: string,
  signatures: readonly Signature[],
  keys: PublicKeys,
): readonly SignatureJudgement[] {
  return signatures.map((signature) => {
    const fault = findSignatureFault(signedBundleText(lock), signature, keys);
    return {key: signature.key, ...(fault ? {fault} : {})};
  });
}

/** The text of a file of signatures. */
export function signaturesText(signatures: readonly Signature[]): string {
  return `${JSON.stringify(signatures, null, 2)}\n`;
}

/** Reads the text of a file of signatures. Throws KernelError BUNDLE_UNREADABLE. */
export function parseSignatures(text: string, place: string): readonly Signature[] {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) throw new Error('it is not a list');
    return value.map((one) => parseSignature(JSON.stringify(one)));
  } catch (cause) {
    throw new KernelError('BUNDLE_UNREADABLE', `Cannot read the signatures ${place}: ${messageOf(cause)}`, {
      cause,
      hint: 'Run `gemini bundle sign` to write them again.',
    });
  }
}
