import {isKernelError} from '@gemini-kernel/kernel';
import type {TurnEnd} from './contract.js';

/** The end of a prompt, before the record of its calls is added. */
export type Ended = Pick<TurnEnd, 'status'> & Partial<TurnEnd>;

const LIMITS: readonly string[] = ['TIME_EXHAUSTED', 'TURNS_EXHAUSTED', 'COST_EXHAUSTED'];

/** The error of a model that repeated itself after a warning. */
export const LOOPED = {
  code: 'MODEL_LOOPING',
  message: 'The model repeated itself again after a warning, and was stopped.',
  hint: 'Rephrase the prompt, or choose another model. To disable this check, set model.disableLoopDetection.',
};

/** The status of an error that stops a run. */
export function statusOfStop(code: string): 'limit' | 'aborted' | undefined {
  if (LIMITS.includes(code)) return 'limit';
  return code.startsWith('RUN_') ? 'aborted' : undefined;
}

/** The end of a prompt whose signal was aborted: with the reason as error, or cancelled by the person. */
export function endOfAbort({reason}: AbortSignal): Ended {
  if (!isKernelError(reason)) return {status: 'aborted'};
  const {code, message, hint} = reason;
  return {status: statusOfStop(code) ?? 'aborted', error: {code, message, ...(hint ? {hint} : {})}};
}

/** What the model learns about a call that did not end. */
export function describeCut({reason}: AbortSignal): string {
  const cancelled = 'The person cancelled this call before it was done.';
  const why = isKernelError(reason) ? `Not finished: ${reason.message}` : cancelled;
  return `${why} What the call has changed so far is unknown.`;
}

/** The error of a prompt that a plugin refused. */
export function refusalOf(reason: string): NonNullable<TurnEnd['error']> {
  const hint = 'Rephrase the prompt, or ask the author of the rule.';
  return {code: 'PROMPT_REFUSED', message: `The prompt was refused: ${reason}`, hint};
}

/** The end by a system signal, with its name. */
export function settle(ended: Ended, signal: AbortSignal): Ended {
  return ended.status === 'aborted' ? {...ended, ...endOfAbort(signal)} : ended;
}
