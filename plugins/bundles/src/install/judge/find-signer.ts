import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {parseSignature, SIGNATURE_FILE, verifyPackage} from '@gemini-kernel/admission';
import type {Installer} from '../source/installer.js';
import {rulesOf} from './judge-rules.js';

/** Who vouches for an unpacked package: the name of a known key, or of an unknown one, which vouches for nothing. */
export interface SignatureFinding {
  readonly signer?: string;
  readonly unknownKey?: string;
}

/** Checks the signature of an unpacked package with the administrator's keys. Throws KernelError SIGNATURE_BROKEN. */
export async function findSigner(
  installer: Pick<Installer, 'managed'>,
  root: string,
  name: string,
): Promise<SignatureFinding> {
  if (!existsSync(join(root, SIGNATURE_FILE))) return {};
  const keys = rulesOf(installer)?.keys ?? {};
  try {
    const {key} = parseSignature(await readText(join(root, SIGNATURE_FILE)));
    if (!Object.hasOwn(keys, key)) return {unknownKey: key};
    const signer = verifyPackage(root, keys);
    return signer ? {signer} : {};
  } catch (cause) {
    throw new KernelError('SIGNATURE_BROKEN', `The signature of ${name} is not valid for it: ${messageOf(cause)}.`, {
      cause,
      hint: 'Its files differ from the signed ones. Nothing was installed.',
    });
  }
}
