import type {Environment} from '@gemini-kernel/kernel';
import type {Ancestor} from './ancestor.js';

/** Programs that a terminal of an editor runs, by name. */
export const SHELLS: ReadonlySet<string> = new Set(['zsh', 'bash', 'sh', 'tcsh', 'csh', 'ksh', 'fish', 'dash']);

/**
 * The process that a companion names in its file, found as companions do: the one above the parent of the nearest
 * shell, or on Windows the third from the root. `chain` starts with this process.
 */
export function findIdePid(chain: readonly Ancestor[], platform: Environment['platform']): number | undefined {
  const above = chain.slice(1);
  if (platform === 'win32') return (above.at(-3) ?? above.at(-1))?.pid;
  const shell = above.findIndex(({name}) => SHELLS.has(name));
  if (shell < 0) return above.at(-1)?.pid;
  const [parent, grandparent] = [above[shell + 1], above[shell + 2]];
  return grandparent && grandparent.pid > 1 ? grandparent.pid : parent?.pid;
}
