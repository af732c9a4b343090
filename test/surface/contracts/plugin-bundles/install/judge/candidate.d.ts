import type { LockedPlugin } from '@gemini-kernel/admission';
import type { Manifest } from '@gemini-kernel/kernel/host';
export interface Candidate {
  readonly manifest: Manifest;
  readonly locked: LockedPlugin;
  readonly files?: number;
  readonly bytes?: number;
  readonly published?: Date;
  readonly tooYoung?: string;
  readonly deprecated?: string;
  readonly unknownKey?: string;
  readonly unproven?: string;
  readonly scripts: readonly string[];
}
