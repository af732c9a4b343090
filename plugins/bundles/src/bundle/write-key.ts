import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {createSigningKey, fingerprint} from './signing-key.js';

export interface WrittenKey {
  readonly name: string;
  readonly privateFile: string;
  readonly publicFile: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

/**
 * Makes a key pair: the private key in a file that only its owner can read, the public key beside it as `name=base64`.
 * Throws KernelError BUNDLE_EXISTS, BUNDLE_KEY_UNUSABLE or BUNDLE_UNWRITABLE.
 */
export async function writeKey(directory: string, name: string): Promise<WrittenKey> {
  if (!/^[\w.-]+$/.test(name))
    throw new KernelError('BUNDLE_KEY_UNUSABLE', `${name} is not a valid name for a key.`, {
      hint: 'Use letters, digits, dots, hyphens and underscores.',
    });
  const {privateKey, publicKey} = createSigningKey();
  const [privateFile, publicFile] = [join(directory, `${name}.key.pem`), join(directory, `${name}.pub`)];
  try {
    await mkdir(directory, {recursive: true});
    await writeFile(privateFile, privateKey, {flag: 'wx', mode: 0o600});
    await writeFile(publicFile, `${name}=${publicKey}\n`, {flag: 'wx', mode: 0o644});
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new KernelError(
      isThere ? 'BUNDLE_EXISTS' : 'BUNDLE_UNWRITABLE',
      `Cannot write the key ${name} to ${directory}: ${messageOf(cause)}`,
      {cause, hint: 'Choose another name or another --directory.'},
    );
  }
  return {name, privateFile, publicFile, publicKey, fingerprint: fingerprint(publicKey)};
}
