import {fileURLToPath} from 'node:url';
import {machines, type Machine} from './system-calls.js';

/** Where the build of this plugin puts the filter of a machine, and the one until the starter has hidden files. */
export function filterFile(machine: Machine, isBefore = false): string {
  return fileURLToPath(new URL(`../seccomp-${isBefore ? 'before-' : ''}${machine}.bpf`, import.meta.url));
}

/** Whether there is a filter for a processor, as Node names it. */
export type {Machine};

export function isMachine(name: string): name is Machine {
  return Object.hasOwn(machines, name);
}
