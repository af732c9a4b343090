import {KernelError} from '@gemini-kernel/kernel';
import type {Spending} from '@gemini-kernel/plugin-fleet/contract';
import {moneyOf, tokensOf} from '@gemini-kernel/plugin-fleet/queues';

/** What a queue may spend; undefined without a limit. Throws KernelError EVAL_FLAG_INVALID. */
export function readBudget(flags: {
  readonly budget?: string | undefined;
  readonly tokens?: string | undefined;
}): Partial<Spending> | undefined {
  const cost = amountOf('--budget', flags.budget, moneyOf, 'US dollars, such as 5usd or 0.5');
  const tokens = amountOf('--tokens', flags.tokens, tokensOf, 'a number of tokens, such as 500k or 20M');
  if (cost === undefined && tokens === undefined) return undefined;
  return {...(cost === undefined ? {} : {cost}), ...(tokens === undefined ? {} : {tokens})};
}

function amountOf(
  flag: string,
  text: string | undefined,
  read: (text: string) => number | undefined,
  wanted: string,
): number | undefined {
  const amount = text === undefined ? undefined : read(text);
  if (text === undefined || amount !== undefined) return amount;
  throw new KernelError('EVAL_FLAG_INVALID', `${flag} is ${JSON.stringify(text)}, which is no such amount.`, {
    hint: `Pass ${wanted}.`,
  });
}
