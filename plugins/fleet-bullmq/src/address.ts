import {KernelError} from '@gemini-kernel/kernel';

const FLEET = /^[\w.-]{1,40}$/;
const ENGINES: Readonly<Record<string, Address['engine']>> = {
  ...{'postgres:': 'postgres', 'postgresql:': 'postgres'},
  ...{'redis:': 'redis', 'rediss:': 'redis', 'valkey:': 'redis'},
};

/** The address of a queue. */
export interface Address {
  readonly engine: 'postgres' | 'redis';
  /** Without the parameters that are for gemini. May have a password: never shown. */
  readonly url: URL;
  readonly fleet: string;
  /** Whether the queue may live on a server that keeps it in memory alone. */
  readonly mayForget: boolean;
  /** What people may see of it. */
  readonly shown: string;
}

/** Throws KernelError QUEUE_ADDRESS_INVALID, which does not repeat an address that may have a password. */
export function readAddress(address: string): Address {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const engine = url && ENGINES[url.protocol];
  if (!url || !engine) throw invalid('The address of a queue is not one of PostgreSQL or Redis.');
  const fleet = url.searchParams.get('fleet') ?? 'default';
  if (!FLEET.test(fleet)) throw invalid(`The name of a fleet, ${JSON.stringify(fleet)}, is not allowed.`);
  const durable = url.searchParams.get('durable') ?? 'yes';
  if (!['yes', 'no'].includes(durable)) throw invalid(`The parameter durable is ${JSON.stringify(durable)}.`);
  if (engine === 'redis' && !/^(\/\d{0,4})?$/.test(url.pathname))
    throw invalid(`The database of Redis, ${JSON.stringify(url.pathname.slice(1))}, is not a number.`);
  url.searchParams.delete('fleet');
  url.searchParams.delete('durable');
  const shown = `${url.protocol}//${url.host}${url.pathname} (fleet ${fleet})`;
  return {engine, url, fleet, mayForget: durable === 'no', shown};
}

function invalid(sentence: string): KernelError {
  return new KernelError('QUEUE_ADDRESS_INVALID', sentence, {
    hint:
      'Examples: postgres://user@host/database?fleet=name, redis://host:6379/0?fleet=name, rediss://host. A name has ' +
      'up to 40 letters, digits and . _ -; durable is yes or no.',
  });
}
