import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** The time of a call starts when the person has answered. */
export default listen('tool:confirmed', {
  filter: {live: true},
  async run({call, value}, {service}) {
    await (await service('call-times')).answered(call.id);
    return value;
  },
});
