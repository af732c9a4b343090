import {fileURLToPath} from 'node:url';
import {readText} from '@gemini-kernel/files';
import type {TrustMaterial} from '@sigstore/verify';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {rulesOf} from '../../judge/judge-rules.js';
import type {Installer} from '../../source/installer.js';

/** What the public Sigstore and the public registry sign with, at the time the product was built. */
export interface ShippedTrust {
  /** A TrustedRoot, as Sigstore writes it in JSON. */
  readonly root: Readonly<Record<string, unknown>>;
  /** Public keys of the registry by their ids, each as Sigstore writes a PublicKey. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** Where the build writes it. */
export function shippedTrustFile(): string {
  return fileURLToPath(new URL('../../../trust-root.json', import.meta.url));
}

/** The keys and authorities that may vouch for where something was built. */
export interface Trust {
  readonly material: TrustMaterial;
  /** Ids of keys that need no certificate. */
  readonly keys: ReadonlySet<string>;
}

/**
 * The administrator's trust root, if set, without other keys; else the one in the product. Throws KernelError
 * MANAGED_UNMET when the administrator's is not valid.
 */
export async function loadTrust(installer: Pick<Installer, 'managed'>): Promise<Trust> {
  const own = rulesOf(installer)?.trustRoot;
  if (!own) return readTrust(JSON.parse(await readText(shippedTrustFile())) as ShippedTrust);
  return readTrust({root: own, keys: {}}).catch((cause: unknown) => {
    throw new KernelError('MANAGED_UNMET', `The administrator's trustRoot cannot be read: ${messageOf(cause)}.`, {
      cause,
      hint: 'Ask the administrator to fix it. Until then, plugins with attestations cannot be installed.',
    });
  });
}

/** A trust root, parsed and ready to verify with. Throws Error when a certificate or a key in it is not valid. */
export async function readTrust({root, keys}: ShippedTrust): Promise<Trust> {
  const [{PublicKey, TrustedRoot}, {toTrustMaterial}] = await Promise.all([
    import('@sigstore/protobuf-specs'),
    import('@sigstore/verify'),
  ]);
  const known = Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, PublicKey.fromJSON(key)]));
  return {material: toTrustMaterial(TrustedRoot.fromJSON(root), known), keys: new Set(Object.keys(keys))};
}
