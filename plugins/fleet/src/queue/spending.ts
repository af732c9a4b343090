import type {Spending} from '../contract.js';

export const NOTHING: Spending = {tokens: 0, cost: 0};

/** Billionths of a dollar: sums of many small costs stay exact to that. */
const UNIT = 1e9;

export function plus(a: Spending, b: Spending): Spending {
  return {tokens: a.tokens + b.tokens, cost: Math.round((a.cost + b.cost) * UNIT) / UNIT};
}

/** What is left of `a` after `b`, never less than nothing. */
export function rest(a: Partial<Spending>, b: Spending): Spending {
  const {tokens, cost} = plus({tokens: a.tokens ?? 0, cost: a.cost ?? 0}, {tokens: -b.tokens, cost: -b.cost});
  return {tokens: Math.max(0, tokens), cost: Math.max(0, cost)};
}
