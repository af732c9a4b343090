import {includesCapability, type Capability} from '@gemini-kernel/kernel/host';

/**
 * The capabilities among `declared` that a rule against `blocked` forbids: one that is in it, and one that is wide
 * enough to hold it.
 */
export function findBlocked(declared: readonly Capability[], blocked: readonly Capability[]): readonly Capability[] {
  return declared.filter((one) =>
    blocked.some((rule) => includesCapability(rule, one) || includesCapability(one, rule)),
  );
}
