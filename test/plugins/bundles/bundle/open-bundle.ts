import type {BundleLock} from '#plugins/bundles/dist/bundle/bundle-lock.js';
import type {OpenBundle} from '#plugins/bundles/dist/bundle/open-bundle.js';

/** A bundle as if it had been opened: nothing is in it but what is given. */
export function makeOpenBundle(terms: Partial<BundleLock>, more: Partial<OpenBundle> = {}): OpenBundle {
  const lock: BundleLock = {
    bundleVersion: 1,
    name: 'corp',
    description: 'For a test.',
    serial: 1,
    plugins: {product: [], installed: {}},
    policies: [],
    ...terms,
  };
  return {
    place: 'corp.bundle.lock.json',
    kind: 'files',
    lock,
    text: JSON.stringify(lock),
    signatures: [],
    files: new Map(),
    archives: new Map(),
    ...more,
  };
}
