import {KernelError} from '@gemini-kernel/kernel';
import type {Lxc} from './lxc-devices.js';

/** A container, as lxc tells of it. */
export interface LxcState {
  /** Its devices, by name. */
  readonly devices: Readonly<Record<string, LxcDevice>>;
}

export interface LxcDevice {
  readonly type?: string;
  readonly path?: string;
  readonly source?: string;
  readonly readonly?: string;
}

interface Listed extends LxcState {
  readonly name?: unknown;
  readonly status?: unknown;
}

/** Reads what a container is. Throws KernelError SANDBOX_UNAVAILABLE where it is missing or does not run. */
export async function readLxcState(lxc: Lxc, container: string): Promise<LxcState> {
  const all = JSON.parse(await lxc('list', `^${container}$`, '--format', 'json')) as readonly Listed[];
  const found = all.find(({name}) => name === container);
  if (!found)
    throw new KernelError('SANDBOX_UNAVAILABLE', `lxc has no container ${container}.`, {
      hint:
        `Make one, with Node 20 or newer in it: \`lxc launch <image> ${container}\`. ` +
        'Or name another one in GEMINI_SANDBOX_IMAGE.',
    });
  if (found.status !== 'Running')
    throw new KernelError('SANDBOX_UNAVAILABLE', `The container ${container} does not run: ${String(found.status)}.`, {
      hint: `Run \`lxc start ${container}\`, then try again.`,
    });
  return {devices: found.devices};
}
