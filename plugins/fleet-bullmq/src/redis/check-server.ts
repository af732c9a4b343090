import {KernelError} from '@gemini-kernel/kernel';
import type {Redis} from 'ioredis';
import type {Address} from '../address.js';

/** Throws KernelError QUEUE_UNSAFE for a server that may drop keys, or forgets all when it ends. */
export async function checkServer(redis: Redis, {shown, mayForget}: Address): Promise<void> {
  const info = await redis.info();
  const read = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const policy = read('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw new KernelError(
      'QUEUE_UNSAFE',
      `The server at ${shown} drops keys when its memory is full: maxmemory-policy is ${policy}.`,
      {hint: 'Set maxmemory-policy to noeviction, or use another server.'},
    );
  if (mayForget || read('aof_enabled') !== '0') return;
  throw new KernelError('QUEUE_UNSAFE', `The server at ${shown} loses everything when it ends: appendonly is no.`, {
    hint: 'Set appendonly to yes. If you can do without what is lost, add durable=no to the address.',
  });
}
