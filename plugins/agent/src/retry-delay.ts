import type {ModelFailure} from './contract.js';

const FACTOR = 2;
const LONGEST = 30_000;
const JITTER = 0.3;
/** A server that wants more patience than this does not want to be asked again. */
const LONGEST_ASKED = 300_000;
/** A service that cannot be reached at all is not going to be there in four minutes either. */
const NETWORK_ATTEMPTS = 4;

interface Failed {
  readonly failure: ModelFailure;
  /** How often it was tried, this time included. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Before the second attempt. */
  readonly initialMs: number;
  /** Between 0 and 1. */
  readonly random: number;
}

/** How often a request is tried that fails like this. */
export function attemptsFor({kind}: ModelFailure, maxAttempts: number): number {
  return kind === 'network' ? Math.min(maxAttempts, NETWORK_ATTEMPTS) : maxAttempts;
}

/** How long to wait before the next attempt; undefined = there is none. */
export function retryDelay({failure, attempt, maxAttempts, initialMs, random}: Failed): number | undefined {
  const {kind, isFinal = false, delayMs} = failure;
  if (isFinal || !['quota', 'overloaded', 'network'].includes(kind)) return undefined;
  if (attempt >= attemptsFor(failure, maxAttempts)) return undefined;
  if (delayMs !== undefined) return delayMs > LONGEST_ASKED ? undefined : delayMs;
  const base = Math.min(initialMs * FACTOR ** (attempt - 1), LONGEST);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}
