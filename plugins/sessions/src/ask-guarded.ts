import type {Restored} from './contract.js';
import {joinRestored} from './rewind-session.js';

interface Parts {
  ask(question: string): Promise<string | undefined>;
  /** Tries again with what a person said yes to. */
  again(approved: readonly string[]): Promise<Restored>;
}

/**
 * Asks a person about files that rules ask about, and brings them back after a yes. Without a person they stay as they
 * are.
 */
export async function askGuarded(restored: Restored, {ask, again}: Parts): Promise<Restored> {
  const paths = restored.guarded.map(({path}) => path);
  if (paths.length === 0) return restored;
  const answer =
    (await ask(
      `Rules ask about these files, since they decide what runs: ${paths.join(', ')}\nBring them back too? [y/N] `,
    )) ?? '';
  return /^y(?:es)?$/i.test(answer.trim()) ? joinRestored(restored, await again(paths)) : restored;
}
