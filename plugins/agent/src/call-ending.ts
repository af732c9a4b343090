import {isKernelError, type Part, type ToolOutcome} from '@gemini-kernel/kernel';
import type {CallRecord} from './contract.js';
import {describeCut} from './run-stop.js';

/** Without this note, the model would undo the person's changes with its next edit. */
const EDITED =
  'The person edited this before approving it, so the result differs from what you asked for. Keep their changes.';

/** The record of how a call ended. */
export type Ending = Pick<CallRecord, 'status' | 'output' | 'display' | 'error' | 'changed'>;

/** The end of a cancelled call. */
export function cutOff(signal: AbortSignal): Ending {
  const {reason} = signal as {readonly reason: unknown};
  const message = describeCut(signal);
  const error = isKernelError(reason) ? {error: {code: reason.code, message}} : {};
  return {status: 'aborted', output: [{text: message}], ...error};
}

/** The end of a call with this outcome. */
export function endOf(outcome: ToolOutcome): Ending {
  if (outcome.status === 'done') {
    const {model, display} = outcome.result;
    const given: readonly Part[] = typeof model === 'string' ? [{text: model}] : model;
    const output = outcome.confirmed === 'edited' ? [{text: EDITED}, ...given] : given;
    return {
      status: 'done',
      output: output.length > 0 ? output : [{text: 'Done.'}],
      ...(display === undefined ? {} : {display}),
    };
  }
  if (outcome.status === 'refused')
    return {
      status: 'refused',
      output: [{text: `This call was refused: ${outcome.reason}`}],
      error: {code: 'CALL_REFUSED', message: outcome.reason},
    };
  const {code, message, hint, model = message} = outcome.error;
  return {status: 'failed', output: [{text: hint ? `${model}\n${hint}` : model}], error: {code, message}};
}
