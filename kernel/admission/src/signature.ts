import {createHash, createPrivateKey, createPublicKey, sign, verify} from 'node:crypto';
import {lstatSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readRegularSync, readTextSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import {digestOf, listTree, type TreeEntry} from './hash-tree.js';

/** The file in a package that says who vouches for all its others. */
export const SIGNATURE_FILE = 'gemini.signature.json';

/** An Ed25519 signature with the name of the key that made it. */
export interface Signature {
  readonly format: 1;
  readonly key: string;
  /** base64. */
  readonly signature: string;
}

export interface SigningKey {
  /** The name under which others know the public key. */
  readonly name: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

/** Public keys by name, each as base64 of its SPKI form or as PEM. */
export type PublicKeys = Readonly<Record<string, string>>;

/** Signs a text. Throws when the key is not an Ed25519 key. */
export function signText(text: string, {name, privateKey}: SigningKey): Signature {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`the key ${name} is ${key.asymmetricKeyType ?? 'unknown'}, not ed25519`);
  return {format: 1, key: name, signature: sign(null, Buffer.from(text), key).toString('base64')};
}

/** Why a signature does not vouch for a text, or undefined when it does. */
export function findSignatureFault(text: string, {key, signature}: Signature, keys: PublicKeys): string | undefined {
  const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (known === undefined)
    return (
      `it is signed with the key ${key}, which is not among the known ones ` +
      `(${Object.keys(keys).join(', ') || 'none'})`
    );
  try {
    const publicKey = known.includes('-----BEGIN')
      ? createPublicKey(known)
      : createPublicKey({key: Buffer.from(known, 'base64'), format: 'der', type: 'spki'});
    if (publicKey.asymmetricKeyType !== 'ed25519') return `the key ${key} is no Ed25519 key`;
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
      ? undefined
      : `its signature by ${key} does not fit its content`;
  } catch (error) {
    return `its signature by ${key} cannot be checked: ${messageOf(error)}`;
  }
}

/** Writes the signature file of a package over these of its files (relative, forward slashes), as they are now. */
export function signPackage(root: string, files: readonly string[], key: SigningKey): Signature {
  const signature = signText(packageText(root, files), key);
  writeFileSync(join(root, SIGNATURE_FILE), `${JSON.stringify(signature, null, 2)}\n`);
  return signature;
}

/**
 * Who vouches for an unpacked package: a key's name; undefined without one. Throws Error with the reason when
 * one does, but not for these files.
 */
export function verifyPackage(root: string, keys: PublicKeys): string | undefined {
  let text: string;
  try {
    text = readTextSync(join(root, SIGNATURE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const signature = parseSignature(text);
  const files = listTree(root)
    .filter(({kind}) => kind !== 'folder')
    .map(({path}) => path);
  const fault = findSignatureFault(packageText(root, files), signature, keys);
  if (fault) throw new Error(fault);
  return signature.key;
}

/**
 * The same of a plugin in a store, which must bring everything it runs with inside its own folder: what lies beside it
 * no one vouches for.
 */
export function verifyAlone(root: string, name: string, keys: PublicKeys): string | undefined {
  const beside = name.startsWith('@') ? [join(root, '..', '..'), join(root, '..')] : [join(root, '..')];
  const own = new Set(name.split('/'));
  const others = beside.flatMap((folder) => readdirSync(folder).filter((one) => !own.has(one)));
  const signer = verifyPackage(root, keys);
  if (signer !== undefined && others.length > 0)
    throw new Error(
      `it brings ${others[0] ?? ''} along, for which its signature does not vouch; its author packs what it needs ` +
        '(bundleDependencies)',
    );
  return signer;
}

/** Reads the text of a signature. Throws Error. */
export function parseSignature(text: string): Signature {
  const value = JSON.parse(text) as Partial<Signature> | null;
  if (value?.format !== 1 || typeof value.key !== 'string' || typeof value.signature !== 'string')
    throw new Error('its signature is in no known form');
  return {format: 1, key: value.key, signature: value.signature};
}

/** What is signed: name and version, so that one cannot stand in for another, and the digest of the files. */
function packageText(root: string, files: readonly string[]): string {
  const {name, version} = JSON.parse(readTextSync(join(root, 'package.json'))) as {name: string; version: string};
  const entries = files
    .filter((path) => path !== SIGNATURE_FILE)
    .sort()
    .map((path): TreeEntry => {
      if (!lstatSync(join(root, path)).isFile()) throw new Error(`its ${path} is no file of its own`);
      const bytes = readRegularSync(join(root, path), Infinity);
      return {path, kind: 'file', mark: '', digest: createHash('sha256').update(bytes).digest('hex')};
    });
  return `gemini-plugin-signature 1\n${name}\n${version}\n${digestOf(entries)}\n`;
}
