import type {ConfineRequest, ExitWatch, Grant, Plan} from '../contract.js';
import type {Credential} from '../exit/credentials.js';
import {LIMIT, MEMORY_LIMIT} from '../starter/way.js';

/** The first kernel that can have calls wait as it is needed. */
const WATCHING = [5, 19] as const;

/** What a program is held to beside its mode. */
export interface Held {
  readonly grants: readonly Grant[];
  /** Most memory of each process, in megabytes; absent: no limit. */
  readonly memory?: number | undefined;
  /** Most processes; 0: no limit, absent: the usual one. */
  readonly processes?: number;
  /** What the exit adds to requests. */
  readonly credentials?: readonly Credential[];
}

/** What the starter limits. */
export function lettersOf({memory, processes}: Plan): string {
  return (
    (processes === undefined ? '' : `${LIMIT}${processes}`) + (memory === undefined ? '' : `${MEMORY_LIMIT}${memory}`)
  );
}

/** Calls can be watched so that a signal does not interrupt them while they wait. */
export function canWatch(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return major > WATCHING[0] || (major === WATCHING[0] && minor >= WATCHING[1]);
}

/** Hosts are granted, or may be while it runs. */
export function hasExit({network: {reach}}: Plan, {mode}: ConfineRequest, watch: ExitWatch | undefined): boolean {
  return reach === 'hosts' || (reach === 'none' && watch !== undefined && mode !== 'plan');
}
