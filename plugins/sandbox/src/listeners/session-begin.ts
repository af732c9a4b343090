import {KernelError, listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {OUTSIDE} from '../outside.js';

/** A conversation that asks for a sandbox does not begin without one. */
export default listen('session:begin', {
  filter: {live: true},
  critical: true,
  async run({value}, {service}) {
    const sandbox = await service('sandbox');
    if (!(await sandbox.isWanted())) return value;
    const {why, isOutside, ...state} = await sandbox.state();
    const fault = state.fault ?? (isOutside ? OUTSIDE : undefined);
    if (!fault) return value;
    throw new KernelError(
      'SANDBOX_UNAVAILABLE',
      `${why.replace(/\.$/, '')}, but it cannot be used: ${fault.sentence}`,
      {
        hint: fault.hint,
      },
    );
  },
});
