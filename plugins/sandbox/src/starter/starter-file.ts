import {fileURLToPath} from 'node:url';
import type {Machine} from '../seccomp/system-calls.js';

/** Where the build of this plugin puts the starter of a machine. */
export function starterFile(machine: Machine): string {
  return fileURLToPath(new URL(`../starter-${machine}`, import.meta.url));
}
