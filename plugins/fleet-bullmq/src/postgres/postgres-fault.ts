import {queueAbsent, queueUnwritable} from '@gemini-kernel/plugin-fleet/queues';
import {KernelError} from '@gemini-kernel/kernel';
import {causeOf} from '../cause.js';

/** Codes of PostgreSQL for which the same transaction may succeed when it is run again. */
const AGAIN = ['40001', '40P01', '23505', 'BM001'];

export function isWorthAgain(error: unknown): boolean {
  return AGAIN.includes(codeOf(error));
}

/** What a queue says about an error of PostgreSQL or of the way to it. Nothing of it has a password. */
export function postgresFault(error: unknown, shown: string): unknown {
  if (error instanceof KernelError) return error;
  const code = codeOf(error);
  const cause = causeOf(error);
  if (code === '3D000')
    return queueAbsent(`There is no database at ${shown}.`, {
      cause,
      hint: 'Make it with createdb, or name another one.',
    });
  if (/^(53|25006|42501|58030)/.test(code))
    return queueUnwritable(`The queue at ${shown} cannot be written: ${cause.message}`, {
      cause,
      hint: 'See whether the server has space, is no standby, and lets this user create a schema and write.',
    });
  if (/^(08|28|57P|57014|25P03|E|$)/.test(code))
    return new KernelError('QUEUE_UNREACHABLE', `The queue at ${shown} cannot be reached: ${cause.message}`, {
      cause,
      hint: 'See whether the server runs and lets this user in; PGPASSWORD may have the password.',
    });
  return error;
}

/** Empty for an error of the driver, such as that the connection was cut. */
function codeOf(error: unknown): string {
  const {code} = error as {readonly code?: unknown};
  return typeof code === 'string' ? code : '';
}
