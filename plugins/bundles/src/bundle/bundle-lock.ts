import type {LockedPlugin} from '@gemini-kernel/admission';
import type {BundleTerms, ListedPlugin} from './bundle.js';

/** A plugin of a bundle, resolved to exact bytes. */
export interface BundlePlugin extends Omit<LockedPlugin, 'approved' | 'integrity' | 'tree'> {
  readonly integrity: string;
  readonly tree: string;
  readonly mode?: NonNullable<ListedPlugin['mode']>;
}

export interface LockedPolicy {
  /** Relative to the lock. */
  readonly path: string;
  /** `sha256-` and hexadecimal digits. */
  readonly digest: string;
}

/** The content of `<name>.bundle.lock.json`: what is signed, exported and applied. */
export interface BundleLock extends BundleTerms {
  readonly bundleVersion: 1;
  readonly serial: number;
  readonly plugins: {readonly product: readonly string[]; readonly installed: Readonly<Record<string, BundlePlugin>>};
  readonly policies: readonly LockedPolicy[];
}
