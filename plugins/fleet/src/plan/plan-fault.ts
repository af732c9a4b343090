import {KernelError} from '@gemini-kernel/kernel';

/** The error for a plan that cannot be used: where, and what is wrong there. */
export function planFault(
  where: string,
  what: string,
  more: {readonly hint?: string; readonly cause?: unknown} = {},
): KernelError {
  const {hint = 'gemini fleet run --help shows what a plan can have.', cause} = more;
  return new KernelError('FLEET_PLAN_INVALID', `${where}: ${what}`, {hint, ...(cause === undefined ? {} : {cause})});
}
