import type {ModelFailure} from './contract.js';

const FACTOR = 2;
const LONGEST = 30_000;
const JITTER = 0.3;
/** If a server asks for a longer delay, there is no retry. */
const LONGEST_ASKED = 300_000;
/** The most attempts when the service cannot be reached at all. */
const NETWORK_ATTEMPTS = 4;

interface Failed {
  readonly failure: ModelFailure;
  /** The number of attempts so far, including this one. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The delay before the second attempt. */
  readonly initialMs: number;
  /** Between 0 and 1. */
  readonly random: number;
}

/** The most attempts after this kind of failure. */
export function attemptsFor({kind}: ModelFailure, maxAttempts: number): number {
  return kind === 'network' ? Math.min(maxAttempts, NETWORK_ATTEMPTS) : maxAttempts;
}

/** The delay before the next attempt; undefined = no further attempt. */
export function retryDelay({failure, attempt, maxAttempts, initialMs, random}: Failed): number | undefined {
  const {kind, isFinal = false, delayMs} = failure;
  if (isFinal || !['quota', 'overloaded', 'network'].includes(kind)) return undefined;
  if (attempt >= attemptsFor(failure, maxAttempts)) return undefined;
  if (delayMs !== undefined) return delayMs > LONGEST_ASKED ? undefined : delayMs;
  const base = Math.min(initialMs * FACTOR ** (attempt - 1), LONGEST);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}
