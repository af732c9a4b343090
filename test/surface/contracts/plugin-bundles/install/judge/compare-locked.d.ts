import type { LockedPlugin } from '@gemini-kernel/admission';
export interface PluginChange {
  readonly newCapabilities: readonly string[];
  readonly droppedCapabilities: readonly string[];
  readonly newReplaced: readonly string[];
  readonly isSourceNew: boolean;
  readonly isSignerNew: boolean;
  readonly isProofLost: boolean;
  readonly dependencies: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  };
}
export declare function compareLocked(before: LockedPlugin | undefined, after: LockedPlugin): PluginChange;
export declare function needsConsent({
  newCapabilities,
  newReplaced,
  isSourceNew,
  isSignerNew,
  isProofLost,
}: PluginChange): boolean;
