import {findSignatureFault, parseSignature, signText, type PublicKeys, type Signature} from '@gemini-kernel/admission';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** The name under which the key of a setting is known. */
export const PINNED_KEY = 'catalogs.sources';

export interface SigningOfCatalog {
  readonly text: string;
  /** The text of the file beside it, if there is one. */
  readonly signatures: string | undefined;
  /** The administrator's keys. */
  readonly known: PublicKeys;
  /** The only key that counts, where the setting names one. */
  readonly pinned: string | undefined;
  readonly place: string;
}

/** What is signed: a signature of something else counts for no catalog. */
export function signedCatalogText(text: string): string {
  return `gemini-catalog-signature 1\n${text}`;
}

/** Signs the text of a catalog. Throws KernelError BUNDLE_KEY_UNUSABLE. */
export function signCatalog(text: string, name: string, privateKey: string): Signature {
  try {
    return signText(signedCatalogText(text), {name, privateKey});
  } catch (cause) {
    throw new KernelError('BUNDLE_KEY_UNUSABLE', `Cannot sign with the key ${name}: ${messageOf(cause)}`, {
      cause,
      hint: 'Make a usable key with `gemini bundle key`.',
    });
  }
}

/**
 * Who signed a catalog: the name of a known key, or undefined. Throws KernelError CATALOG_INVALID when a known key
 * signed something else, or when the key that the setting names did not sign it.
 */
export function findCatalogSigner({text, signatures, known, pinned, place}: SigningOfCatalog): string | undefined {
  const all = readSignatures(signatures, place);
  if (pinned !== undefined) {
    const fault = all.map(({signature}) => faultOf(text, {key: PINNED_KEY, signature}, {[PINNED_KEY]: pinned}));
    const by = all[fault.indexOf(undefined)];
    if (by) return by.key;
    throw untrusted(place, all.length === 0 ? 'it is not signed' : 'the key that the setting names did not sign it');
  }
  const ours = all.filter(({key}) => Object.hasOwn(known, key));
  for (const signature of ours) {
    const fault = faultOf(text, signature, known);
    if (fault !== undefined) throw untrusted(place, fault);
  }
  return ours[0]?.key;
}

function faultOf(text: string, {key, signature}: Omit<Signature, 'format'>, keys: PublicKeys): string | undefined {
  return findSignatureFault(signedCatalogText(text), {format: 1, key, signature}, keys);
}

/** The signatures beside a catalog. Throws KernelError CATALOG_INVALID. */
export function readSignatures(text: string | undefined, place: string): readonly Signature[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) throw new Error('they are not a list');
    return value.slice(0, 20).map((one) => parseSignature(JSON.stringify(one)));
  } catch (cause) {
    throw untrusted(place, `its signatures cannot be read (${messageOf(cause)})`);
  }
}

function untrusted(place: string, clause: string): KernelError {
  return new KernelError('CATALOG_INVALID', `The catalog ${place} is not used: ${clause}.`, {
    hint: 'Ask its publisher, or the administrator who named its key.',
  });
}
