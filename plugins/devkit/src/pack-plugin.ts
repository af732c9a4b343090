import {readFile, rm} from 'node:fs/promises';
import {basename, extname, join, resolve} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {packWithNpm, type Packed, type Packing} from './pack-with-npm.js';

export interface SigningWish {
  /** Path of a private key, PEM. */
  readonly keyFile: string;
  /** The name under which others know the public key; otherwise the file's. */
  readonly keyName: string | undefined;
}

export interface PackedPlugin extends Packed {
  /** Path of the archive. */
  readonly archive: string;
  /** Name of the key that vouches for it. */
  readonly signedBy?: string;
}

/**
 * Packs a built plugin into `destination`, signed when that is wished for. Throws KernelError PACK_REFUSED or
 * NPM_MISSING.
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
    // The next archive would hold a signature of something else.
    await rm(join(packing.root, 'gemini.signature.json'), {force: true});
    throw error;
  }
}

/** Signs exactly what npm will pack, so that a file that is added or taken out later is noticed. */
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
      'Give a file with an Ed25519 private key in PEM form (PKCS #8), as openssl genpkey -algorithm ed25519 makes it.',
      cause,
    );
  }
  const now = (await packWithNpm(packing)).files.map(({path}) => path);
  if (!now.includes(SIGNATURE_FILE))
    throw refuse(
      `npm pack would leave ${SIGNATURE_FILE} out`,
      `Add it to "files" in ${join(packing.root, 'package.json')}.`,
    );
  return name;
}
