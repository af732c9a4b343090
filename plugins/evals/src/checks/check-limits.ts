import type {Eval} from '../format/eval.js';
import type {Conversation} from '../run/conversation.js';

/** Why the end of a run and what it took are not as expected, as sentences. */
export function checkLimits({expect, limits, task}: Eval, made: Conversation): readonly string[] {
  const {outcome, error, turns, tokens, cost} = made;
  const isExpected = expect.outcome === 'any' || outcome === expect.outcome;
  const why = error === undefined ? '' : `: ${error.code}: ${error.message}`;
  const over = (name: string, value: number, most: number | undefined): readonly string[] =>
    most === undefined || value <= most ? [] : [`It took ${value} ${name}, and ${most} are allowed.`];
  return [
    ...(isExpected ? [] : [`The ${task.kind === 'call' ? 'call' : 'run'} ended as ${outcome}${why}`]),
    ...over('turns', turns, limits.turns),
    ...over('tokens', tokens, limits.tokens),
    ...over('US dollars', cost ?? 0, limits.cost),
  ];
}
