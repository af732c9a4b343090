import {isKernelError} from '@gemini-kernel/kernel';
import type {TurnEnd} from './contract.js';

/** How a prompt ends, before what it did is added. */
export type Ended = Pick<TurnEnd, 'status'> & Partial<TurnEnd>;

const LIMITS: readonly string[] = ['TIME_EXHAUSTED', 'TURNS_EXHAUSTED', 'COST_EXHAUSTED'];

/** The error of a model that repeated itself although it was told. */
export const LOOPED = {
  code: 'MODEL_LOOPING',
  message: 'The model repeated itself, was told, repeated itself again, and was stopped.',
  hint: 'Say it in other words, or choose another model. The setting model.disableLoopDetection turns this off.',
};

/** The status that an error stands for when it stops a run. */
export function statusOfStop(code: string): 'limit' | 'aborted' | undefined {
  if (LIMITS.includes(code)) return 'limit';
  return code.startsWith('RUN_') ? 'aborted' : undefined;
}

/** How a prompt ended whose signal was aborted: with the error that the reason is, or because the person gave up. */
export function endOfAbort({reason}: AbortSignal): Ended {
  if (!isKernelError(reason)) return {status: 'aborted'};
  const {code, message, hint} = reason;
  return {status: statusOfStop(code) ?? 'aborted', error: {code, message, ...(hint ? {hint} : {})}};
}

/** What the model is told of a call that did not end. */
export function describeCut({reason}: AbortSignal): string {
  const cancelled = 'The person cancelled this call before it was done.';
  const why = isKernelError(reason) ? `Not finished: ${reason.message}` : cancelled;
  return `${why} What the call has changed so far is not known.`;
}

/** The error of a prompt that a plugin refused. */
export function refusalOf(reason: string): NonNullable<TurnEnd['error']> {
  const hint = 'Say it in other words, or ask who made the rule.';
  return {code: 'PROMPT_REFUSED', message: `The prompt was refused: ${reason}`, hint};
}

/** An end by a signal says which one it was. */
export function settle(ended: Ended, signal: AbortSignal): Ended {
  return ended.status === 'aborted' ? {...ended, ...endOfAbort(signal)} : ended;
}
