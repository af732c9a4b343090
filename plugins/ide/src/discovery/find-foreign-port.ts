import type {Environment} from '@gemini-kernel/kernel';
import {ownUser} from '../companion/host-process.js';
import type {IdeFault} from '../contract.js';
import {faultOf} from '../faults.js';
import {ownerOfPort} from './owner-of-port.js';

export interface NamedPort {
  readonly port: number;
  /** Name of the editor that should listen there. */
  readonly editor: string;
  readonly platform: Environment['platform'];
}

/**
 * Why nothing may be sent to a port of this machine: a program of another user listens there. Undefined for this user
 * and for root, who can read everything anyway, and where the system does not report the owner (only Linux does).
 */
export function findForeignPort({port, editor, platform}: NamedPort): IdeFault | undefined {
  const owner = platform === 'linux' ? ownerOfPort(port) : undefined;
  if (owner === undefined || owner === 0 || owner === ownUser()) return undefined;
  const hint =
    'If the editor was closed or restarted, open a new terminal in it. Otherwise another user of this machine ' +
    'took its port: restart the editor.';
  return {
    ...faultOf('port-refused'),
    message: `Not connecting to ${editor}: port ${port} belongs to another user (${owner}).`,
    hint,
  };
}
