/** How long a list or a count may take: they need no thought. */
export const LONGEST_WAIT_MS = 15_000;

/** A signal for a list or a count: the limit, or whoever asks, whichever comes first. */
export function withLimit(limit: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
