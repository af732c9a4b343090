import {KernelError} from '@gemini-kernel/kernel';
import {writeWhole} from '../install/commit/write-whole.js';
import {addSignature, signaturesText} from './bundle-signatures.js';
import {openBundle} from './open-bundle.js';
import {readBytes} from './read-bundle.js';

export interface SignRequest {
  /** A lock, or the folder of one. */
  readonly place: string;
  readonly keyFile: string;
  readonly keyName: string;
}

export interface SignedLock {
  readonly file: string;
  readonly signers: readonly string[];
}

/**
 * Adds a signature over the bytes of a lock to the file beside it. Throws KernelError BUNDLE_INVALID, BUNDLE_UNREADABLE
 * or BUNDLE_KEY_UNUSABLE.
 */
export async function signLock({place, keyFile, keyName}: SignRequest): Promise<SignedLock> {
  const {file, text, signatures} = await openBundle(place);
  if (file === undefined)
    throw new KernelError('BUNDLE_INVALID', `${place} is an exported archive; its lock cannot be signed in place.`, {
      hint: 'Sign the lock, then export it.',
    });
  const privateKey = (await readBytes(keyFile)).toString();
  const all = addSignature(text, signatures, {name: keyName, privateKey});
  await writeWhole(`${file}.sig`, signaturesText(all));
  return {file: `${file}.sig`, signers: all.map(({key}) => key)};
}
