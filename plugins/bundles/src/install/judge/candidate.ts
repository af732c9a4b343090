import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';

/** A plugin that a person may agree to, as it was found. */
export interface Candidate {
  readonly manifest: Manifest;
  /** What goes into the lock, without who agreed. */
  readonly locked: LockedPlugin;
  readonly files?: number;
  readonly bytes?: number;
  readonly published?: Date;
  /** A newer version that is not old enough yet. */
  readonly tooYoung?: string;
  readonly deprecated?: string;
  /** The name of an unknown key that signed it. */
  readonly unknownKey?: string;
  /** Why the existing attestations prove nothing about where it was built. */
  readonly unproven?: string;
  /** Install scripts that do not run, its own and those of dependencies. */
  readonly scripts: readonly string[];
}
