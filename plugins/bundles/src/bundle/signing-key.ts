import {createHash, generateKeyPairSync} from 'node:crypto';
import {KernelError} from '@gemini-kernel/kernel';
import type {PublicKeys} from '@gemini-kernel/admission';

/** A new Ed25519 pair: the private half as PEM, the public half as base64 of its SPKI form. */
export function createSigningKey(): {readonly privateKey: string; readonly publicKey: string} {
  const {privateKey, publicKey} = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
    publicKey: publicKey.export({type: 'spki', format: 'der'}).toString('base64'),
  };
}

/** What people compare over another channel: `SHA256:` and the digest of the public key. */
export function fingerprint(publicKey: string): string {
  return `SHA256:${createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64').replace(/=+$/, '')}`;
}

/** Parses each `NAME=BASE64`. Throws KernelError BUNDLE_KEY_UNUSABLE. */
export function parseKeys(texts: readonly string[]): PublicKeys {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, key] = /^([^=\s]+)=([A-Za-z0-9+/]{40,}={0,2})$/.exec(text.trim()) ?? [];
      if (name === undefined || key === undefined)
        throw new KernelError('BUNDLE_KEY_UNUSABLE', `${text} is not a public key.`, {
          hint: 'Use the form NAME=BASE64, as `gemini bundle key` prints it.',
        });
      return [name, key];
    }),
  );
}
