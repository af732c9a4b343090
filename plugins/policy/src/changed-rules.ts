import type {Rule} from './rule.js';

/** The rules that only one of two sets has. Where no other rule matches, both sets judge alike. */
export function changedRules(before: readonly Rule[], after: readonly Rule[]): readonly Rule[] {
  return [...without(before, after), ...without(after, before)];
}

function without(rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] {
  const known = new Set(others.map(meaningOf));
  return rules.filter((rule) => !known.has(meaningOf(rule)));
}

/** What a rule does, whatever it is called and wherever in its tier it stands. */
function meaningOf({id: _id, description: _description, message: _message, source: {tier}, ...rest}: Rule): string {
  return JSON.stringify([tier, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
