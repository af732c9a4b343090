import type {LockedPlugin} from '@gemini-kernel/admission';
import type {BundleTerms, ListedPlugin} from './bundle.js';

/** A plugin of a bundle, resolved to exact bytes. */
export interface BundlePlugin extends Omit<LockedPlugin, 'approved' | 'integrity' | 'tree'> {
  readonly integrity: string;
  readonly tree: string;
  readonly mode?: NonNullable<ListedPlugin['mode']>;
}

export interface LockedFile {
  /** Relative to the lock, or to the folder that it is in. */
  readonly path: string;
  /** `sha256-` and hexadecimal digits. */
  readonly digest: string;
  readonly executable?: true;
}

/** An extension or a skill. */
export interface LockedFolder {
  /** The digest of all its files, which is checked before the folder is used. */
  readonly tree: string;
  readonly files: readonly LockedFile[];
}

/** The content of `<name>.bundle.lock.json`: what is signed, exported and applied. */
export interface BundleLock extends BundleTerms {
  readonly bundleVersion: 1;
  readonly serial: number;
  readonly plugins: {readonly product: readonly string[]; readonly installed: Readonly<Record<string, BundlePlugin>>};
  readonly policies: readonly LockedFile[];
  /** By name; the files are in `extensions/<name>` and `skills/<name>`. */
  readonly extensions?: Readonly<Record<string, LockedFolder>>;
  readonly skills?: Readonly<Record<string, LockedFolder>>;
}
