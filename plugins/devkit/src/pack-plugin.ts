import {readFile, rm} from 'node:fs/promises';
import {basename, extname, join, resolve} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {packWithNpm, type Packed, type Packing} from './pack-with-npm.js';

export interface SigningWish {
  /** Path of a private key, PEM. */
  readonly keyFile: string;
  /** The name of the public key for others; by default the file's name. */
  readonly keyName: string | undefined;
}

export interface PackedPlugin extends Packed {
  /** Path of the archive. */
  readonly archive: string;
  /** Name of the signing key. */
  readonly signedBy?: string;
}

/**
 * Packs a built plugin into `destination`, signed if a key is given. Throws KernelError PACK_REFUSED or NPM_MISSING.
 */
export async function packPlugin(
  packing: Packing,
  destination: string,
  signing: SigningWish | undefined,
): Promise<PackedPlugin> {
  const {signedBy, packed} = await packSigned(packing, destination, signing);
  return {...packed, archive: resolve(destination, packed.filename), ...(signedBy === undefined ? {} : {signedBy})};
}

async function packSigned(
  packing: Packing,
  destination: string,
  signing: SigningWish | undefined,
): Promise<{readonly packed: Packed; readonly signedBy?: string}> {
  if (!signing) return {packed: await packWithNpm(packing, destination)};
  try {
    return {signedBy: await sign(packing, signing), packed: await packWithNpm(packing, destination)};
  } catch (error) {
    // The next archive would contain an outdated signature.
    await rm(join(packing.root, 'gemini.signature.json'), {force: true});
    throw error;
  }
}

/** Signs exactly the files that npm will pack, so that a later change is noticed. */
async function sign(packing: Packing, {keyFile, keyName}: SigningWish): Promise<string> {
  const {SIGNATURE_FILE, signPackage} = await import('@gemini-kernel/admission');
  const name = keyName ?? basename(keyFile, extname(keyFile));
  const refuse = (why: string, hint: string, cause?: unknown): KernelError =>
    new KernelError('PACK_REFUSED', `Cannot sign ${packing.root} with ${keyFile}: ${why}.`, {cause, hint});
  const files = (await packWithNpm(packing)).files.map(({path}) => path).filter((path) => path !== SIGNATURE_FILE);
  try {
    signPackage(packing.root, files, {name, privateKey: await readFile(keyFile, 'utf8')});
  } catch (cause) {
    throw refuse(
      messageOf(cause),
      'Pass an Ed25519 private key in PEM form (PKCS #8). Create one with openssl genpkey -algorithm ed25519.',
      cause,
    );
  }
  const now = (await packWithNpm(packing)).files.map(({path}) => path);
  if (!now.includes(SIGNATURE_FILE))
    throw refuse(
      `npm pack would omit ${SIGNATURE_FILE}`,
      `Add it to "files" in ${join(packing.root, 'package.json')}.`,
    );
  return name;
}
