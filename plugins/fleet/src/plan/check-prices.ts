import {KernelError} from '@gemini-kernel/kernel';
import type {Plan} from './plan.js';

/**
 * A plan that limits money is refused while the price of its model is not known: each task would fail. Throws
 * KernelError FLEET_PLAN_INVALID. What a model is called where none is named, is known to its runs only.
 */
export function checkPrices({limits, model}: Plan, prices: Readonly<Record<string, unknown>>): void {
  if (limits.cost === undefined && limits.taskCost === undefined) return;
  const known = Object.keys(prices);
  const names = model === undefined ? known : [model, model.slice(model.indexOf(':') + 1)];
  if (names.some((name) => known.includes(name))) return;
  const name = names.at(-1) ?? 'gemini-3-flash';
  const what = model === undefined ? 'no price of a model is set' : `the price of ${model} is not set`;
  throw new KernelError('FLEET_PLAN_INVALID', `The plan limits US dollars, but ${what}.`, {
    hint:
      'Limit it with --tokens, or set prices in dollars per million tokens: ' +
      `gemini settings set model.prices '{"${name}": {"input": 1, "output": 5}}'`,
  });
}
