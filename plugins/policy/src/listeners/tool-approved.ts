import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Keeps what a person approved, narrowed to that. */
export default listen('tool:approved', {
  async run({call, remember}, {service}) {
    await (await service('policy')).remember(call, remember);
  },
});
