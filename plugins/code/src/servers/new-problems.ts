import type {Problem} from '../contract.js';

/**
 * Those of `after` that `before` does not have. Lines move, so one is known by its message and its line's text first,
 * and then by its message alone.
 */
export function newProblems(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const exact = without(before, after, ({severity, code, message, text}) => [severity, code, message, text]);
  const loose = without(exact.before, exact.after, ({severity, code, message}) => [severity, code, message]);
  return loose.after;
}

/** Both without the pairs that have the same key. */
function without(
  before: readonly Problem[],
  after: readonly Problem[],
  keyOf: (one: Problem) => readonly unknown[],
): {readonly before: readonly Problem[]; readonly after: readonly Problem[]} {
  const left = new Map<string, Problem[]>();
  for (const one of before) {
    const key = JSON.stringify(keyOf(one));
    left.set(key, [...(left.get(key) ?? []), one]);
  }
  const added = after.filter((one) => left.get(JSON.stringify(keyOf(one)))?.shift() === undefined);
  return {before: [...left.values()].flat(), after: added};
}
