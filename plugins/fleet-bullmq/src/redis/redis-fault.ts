import {queueUnwritable} from '@gemini-kernel/plugin-fleet/queues';
import {KernelError} from '@gemini-kernel/kernel';
import {causeOf, isCut} from '../cause.js';

/** What a queue says about an error of Redis or of the way to it. Nothing of it has a password. */
export function redisFault(error: unknown, shown: string): unknown {
  if (error instanceof KernelError) return error;
  const cause = causeOf(error);
  const {message} = cause;
  if (/\b(OOM|MISCONF|READONLY|NOREPLICAS|NOPERM)\b/.test(message))
    return queueUnwritable(`The queue at ${shown} cannot be written: ${message}`, {
      cause,
      hint: 'See whether the server has memory and space, is no replica, and lets you write. Nothing was changed.',
    });
  if (
    /^(NOAUTH|WRONGPASS|LOADING|MASTERDOWN|CLUSTERDOWN|ERR (AUTH|DB index|invalid password))/.test(message) ||
    isCut(error)
  )
    return new KernelError('QUEUE_UNREACHABLE', `The queue at ${shown} cannot be reached: ${message}`, {
      cause,
      hint: 'See whether the server runs, and whether user and password are right.',
    });
  return error;
}
