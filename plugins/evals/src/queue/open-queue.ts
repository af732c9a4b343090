import {KernelError} from '@gemini-kernel/kernel';
import {engineOf} from '@gemini-kernel/plugin-fleet/queues';

/**
 * The service with the queue at an address that machines share. Throws KernelError EVAL_FLAG_INVALID for another one,
 * and where no plugin offers it; `offered` says which are.
 */
export function engineAt(address: string, flag: string, offered: {has(name: string): boolean}): string {
  const name = engineOf(address);
  if (name === undefined)
    throw new KernelError('EVAL_FLAG_INVALID', `--${flag} is no address of a queue that machines share.`, {
      hint: 'Use postgres:// or redis://. On one machine, --jobs runs several at once.',
    });
  if (offered.has(name)) return name;
  throw new KernelError('EVAL_FLAG_INVALID', `--${flag} names a queue that no plugin offers: ${name}.`, {
    hint: 'For postgres:// and redis://, run: gemini plugins install @gemini-plugins/fleet-bullmq',
  });
}
