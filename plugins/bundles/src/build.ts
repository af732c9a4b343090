import {writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {shippedTrustFile, type ShippedTrust} from './install/fetch/provenance/trust-root.js';

interface Seed {
  /** base64 of JSON by name. */
  readonly targets: Readonly<Record<string, string>>;
}

interface RegistryKey {
  readonly keyId: string;
  readonly keyUsage: string;
  readonly publicKey: unknown;
}

/**
 * Takes the trust root that Sigstore's own client starts with, so that packages of the public registry can be verified
 * without a network. Throws when its format has changed.
 */
export async function build(): Promise<void> {
  const seeds = createRequire(import.meta.url)('@sigstore/tuf/seeds.json') as Readonly<Record<string, Seed>>;
  const targets = Object.values(seeds).flatMap((seed) => Object.entries(seed.targets));
  const read = (end: string): unknown => {
    const found = targets.filter(([name]) => name.endsWith(end));
    if (found.length !== 1)
      throw new Error(`The seeds of @sigstore/tuf contain ${found.length} files ${end}; expected exactly one.`);
    return JSON.parse(Buffer.from(found[0]?.[1] ?? '', 'base64').toString('utf8'));
  };
  const {keys} = read('keys.json') as {readonly keys: readonly RegistryKey[]};
  const trust: ShippedTrust = {
    root: read('trusted_root.json') as ShippedTrust['root'],
    keys: Object.fromEntries(
      keys.filter(({keyUsage}) => keyUsage === 'npm:attestations').map(({keyId, publicKey}) => [keyId, publicKey]),
    ),
  };
  await writeFile(shippedTrustFile(), JSON.stringify(trust));
}
