import {KernelError} from '@gemini-kernel/kernel';

const SHARED = /^(postgres|postgresql|redis|rediss|valkey):\/\//i;
const SCHEME = /^([a-z][\w+.-]*):\/\//i;

/**
 * The service with the queue at an address that machines share. Throws KernelError EVAL_FLAG_INVALID for another one,
 * and where no plugin offers it; `offered` says which are.
 */
export function engineAt(address: string, flag: string, offered: {has(name: string): boolean}): `queue:${string}` {
  const [, scheme] = SCHEME.exec(address) ?? [];
  if (scheme === undefined)
    throw new KernelError('EVAL_FLAG_INVALID', `--${flag} is no address of a queue that machines share.`, {
      hint: 'Use postgres:// or redis://. On one machine, --jobs runs several at once.',
    });
  const name = `queue:${SHARED.test(address) ? 'bullmq' : scheme.toLowerCase()}` as const;
  if (offered.has(name)) return name;
  throw new KernelError('EVAL_FLAG_INVALID', `--${flag} names a queue that no plugin offers: ${name}.`, {
    hint: 'The plugin fleet-bullmq has those of postgres:// and redis:// (docs/fleet.md).',
  });
}

/** An address as it is shown: without a password. */
export function shownAddress(address: string): string {
  return address.replace(/^([\w+.-]+:\/\/[^/:@]*):[^/@]*@/, '$1:...@');
}
