import type {Probe} from '../probe.js';
import {devices} from './devices.js';
import {machine} from './machine.js';
import {mounts} from './mounts.js';
import {network} from './network.js';
import {reading} from './reading.js';
import {repositories} from './repositories.js';
import {systemCalls} from './system-calls.js';
import {works} from './works.js';
import {writing} from './writing.js';

/** Every probe, in the order in which they are tried: what must work first, while the laboratory is untouched. */
export function allProbes(): readonly Probe[] {
  return [
    ...works(),
    ...reading(),
    ...writing(),
    ...repositories(),
    ...mounts(),
    ...machine(),
    ...devices(),
    ...network(),
    ...systemCalls(),
  ];
}
