/** The time limit of a list or a count. */
export const LONGEST_WAIT_MS = 15_000;

/** A signal for a list or a count: the limit, or the caller's signal, whichever comes first. */
export function withLimit(limit: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
