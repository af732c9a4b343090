import {createHash, webcrypto} from 'node:crypto';
import type {DpopKeyPair, DpopSession} from '../sdk/client.js';
import type {CredentialStore} from './credential.js';

const {subtle} = webcrypto;
const CURVE = {name: 'ECDSA', namedCurve: 'P-256'} as const;

/** The session with the key that tokens for an address are bound to; made once, and kept with them. */
export async function bindKey(
  sdk: Pick<typeof import('../sdk/client.js'), 'DpopSession'>,
  store: CredentialStore,
  address: string,
): Promise<DpopSession> {
  let key = (await store.read(address))?.key;
  if (!key) {
    const made = await makeKey();
    await store.update(address, (kept) => ({...kept, key: (key = kept.key ?? made)}));
  }
  return sdk.DpopSession.create({keyPair: await toKeyPair(key ?? {})});
}

async function makeKey(): Promise<Readonly<Record<string, unknown>>> {
  const {privateKey} = await subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const {kty, crv, x, y, d} = await subtle.exportKey('jwk', privateKey);
  return {kty, crv, x, y, d};
}

async function toKeyPair(key: Readonly<Record<string, unknown>>): Promise<DpopKeyPair> {
  const {kty, crv, x, y, d} = key as Record<'kty' | 'crv' | 'x' | 'y' | 'd', string>;
  const publicJwk = {kty, crv, x, y};
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('jwk', {...publicJwk, d}, CURVE, false, ['sign']),
    subtle.importKey('jwk', publicJwk, CURVE, true, ['verify']),
  ]);
  // The order of the members is that of RFC 7638.
  const thumbprint = createHash('sha256').update(JSON.stringify({crv, kty, x, y})).digest('base64url');
  return {privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256'};
}
