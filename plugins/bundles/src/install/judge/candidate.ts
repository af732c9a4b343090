import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';

/** A plugin that a person may say yes to, as it was found. */
export interface Candidate {
  readonly manifest: Manifest;
  /** What goes into the lock, but for who said yes. */
  readonly locked: LockedPlugin;
  readonly files?: number;
  readonly bytes?: number;
  readonly published?: Date;
  /** A newer version that is not old enough yet. */
  readonly tooYoung?: string;
  readonly deprecated?: string;
  /** The name of a key that signed it and that is not known here. */
  readonly unknownKey?: string;
  /** Why attestations that there are prove nothing of where it was built. */
  readonly unproven?: string;
  /** Install scripts that do not run, its own and those of dependencies. */
  readonly scripts: readonly string[];
}
