import {events} from './events.js';
import type {HookEvent, HookInfo} from './contract.js';

/** The hooks of an event that are for a subject, such as the name of a tool. */
export function selectHooks<H extends HookInfo>(hooks: readonly H[], event: HookEvent, subject: string): readonly H[] {
  return hooks.filter(
    (hook) =>
      hook.event === event &&
      (hook.leftOut === undefined || hook.leftOut.reason === 'unacknowledged') &&
      matches(hook, event, subject),
  );
}

/**
 * Whether a matcher is for a subject. For tools it is a regular expression that may match anywhere; one that is invalid
 * is compared as text.
 */
function matches({matcher, shape}: HookInfo, event: HookEvent, subject: string): boolean {
  const {matches: how} = events[event];
  if (how === undefined || matcher === undefined || matcher === '' || matcher === '*') return true;
  if (how === 'exact') return matcher === subject;
  try {
    // Claude Code matches whole names.
    return new RegExp(shape === 'claude' ? `^(?:${matcher})$` : matcher).test(subject);
  } catch (error) {
    if ((error as {readonly name?: unknown}).name !== 'SyntaxError') throw error;
    return matcher === subject;
  }
}
