import {isAbsolute} from 'node:path';
import type {Reach} from './contract.js';
import {readHostRule} from './exit/host-rules.js';
import {isWithin} from './linux/is-within.js';
import {realOf} from './linux/real-of.js';

/** Reads what a call asks for in its `additional_permissions`; undefined when that is nothing. */
export function readAsked(input: unknown): Reach | undefined {
  const {additional_permissions: given} = input as {readonly additional_permissions?: unknown};
  if (typeof given !== 'object' || given === null) return undefined;
  const {network, hosts, fileSystem} = given as Readonly<Record<string, unknown>>;
  const {read, write} = (fileSystem ?? {}) as Readonly<Record<string, unknown>>;
  const lists = {hosts: texts(hosts), read: texts(read), write: texts(write)};
  if (network !== true && Object.values(lists).every(({length}) => length === 0)) return undefined;
  return {network: network === true ? true : lists.hosts, read: lists.read, write: lists.write};
}

/** Why it cannot be given to anyone, as a sentence; undefined when a person can say yes. */
export function findFault({network, read = [], write = []}: Reach, home: string): string | undefined {
  const host = hostsOf(network).find((one) => readHostRule(one) === undefined);
  if (host !== undefined) return `additional_permissions names "${host}", which is not a host.`;
  for (const path of [...read, ...write]) {
    if (!isAbsolute(path)) return `additional_permissions needs absolute paths, not "${path}".`;
    const real = realOf(path);
    if (real === undefined) return `additional_permissions names ${path}, which does not exist.`;
    if (real !== path) return `additional_permissions names ${path}, which leads to ${real}: ask for that path.`;
    if (path === '/' || isWithin(home, path)) return `additional_permissions names ${path}, which contains your home.`;
  }
  return undefined;
}

/** What is asked for, in words. */
export function sayAsked({network, read = [], write = []}: Reach): string {
  return [
    ...(network === true ? ['any host'] : hostsOf(network)).map((host) => `connect to ${host}`),
    ...read.map((path) => `read ${path}`),
    ...write.map((path) => `write ${path}`),
  ].join(', ');
}

function hostsOf(network: Reach['network']): readonly string[] {
  return typeof network === 'object' ? network : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
