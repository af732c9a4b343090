import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Settles the approval mode. Rules that cannot be trusted to be whole keep the session from beginning. */
export default listen('session:begin', {
  critical: true,
  timeoutMs: 5000,
  async run({value}, {service}) {
    return {...value, ...(await (await service('policy')).begin(value))};
  },
});
