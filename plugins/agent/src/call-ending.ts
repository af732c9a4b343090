import {isKernelError, type Part, type ToolOutcome} from '@gemini-kernel/kernel';
import type {CallRecord} from './contract.js';
import {describeCut} from './run-stop.js';

/** A model that does not know would undo it with its next edit. */
const EDITED =
  'The person edited this before saying yes, so what was done is not word for word what you asked for. Keep what ' +
  'they made of it.';

/** What the record of a call says of its end. */
export type Ending = Pick<CallRecord, 'status' | 'output' | 'display' | 'error' | 'changed'>;

/** The end of a call that was stopped. */
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
  const {code, message, hint} = outcome.error;
  return {status: 'failed', output: [{text: hint ? `${message}\n${hint}` : message}], error: {code, message}};
}
