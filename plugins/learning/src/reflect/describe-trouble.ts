import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import {findSignals} from './find-signals.js';

/** What took long or failed; prompts and routines that repeat are no trouble. */
const TROUBLE: ReadonlySet<string> = new Set(['rule', 'fact', 'setting']);

/** One sentence about a session that went badly; undefined about any other. */
export function describeTrouble(entries: readonly Entry[]): string | undefined {
  const found = findSignals(entries).filter(({kind}) => TROUBLE.has(kind));
  const [first] = found;
  if (!first) return undefined;
  const more = found.length === 1 ? '' : ` And ${found.length - 1} more.`;
  return `${first.sentence}${more} gemini reflect shows what would save it.`;
}
