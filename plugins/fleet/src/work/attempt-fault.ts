import {isKernelError} from '@gemini-kernel/kernel';
import type {QueueFault} from '../contract.js';
import type {RunEnd} from './task-run.js';

/** Why an attempt failed. */
export interface AttemptFault extends QueueFault {
  /** Another attempt would end in the same way. */
  readonly isLasting: boolean;
}

/** Exit codes that do not change by trying again: login, input, sandbox, settings, limits, trust. */
const LASTING = new Set([41, 42, 44, 52, 53, 54, 55]);

/** The fault of a run. Undefined when it was done. */
export function faultOf({code, events: {outcome}, reason, isLate}: RunEnd): AttemptFault | undefined {
  if (outcome?.status === 'success') return undefined;
  if (isLate) return {code: 'TASK_TIMEOUT', message: 'It did not end within its time.', isLasting: true};
  if (outcome?.error) {
    const {code: name, message, exit} = outcome.error;
    return {code: name, message, isLasting: LASTING.has(exit)};
  }
  const message = reason === '' ? `It ended with ${code} and without a result.` : reason;
  return {code: 'TASK_DIED', message, isLasting: LASTING.has(code)};
}

/** The fault of a task whose checkout has become too large. */
export function diskFault(most: number): AttemptFault {
  const message = `Its files took more than ${Math.round(most / 1e6)} MB, so they were removed.`;
  return {code: 'TASK_DISK', message, isLasting: true};
}

/** The fault of an attempt that could not be made. */
export function faultOfError(error: unknown): AttemptFault {
  if (isKernelError(error)) return {code: error.code, message: error.message, isLasting: false};
  const {code} = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return {code: 'TASK_UNSTARTED', message: (error as Error).message, isLasting: false};
  throw error;
}
