import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/**
 * Decides which session a conversation is. If the requested session is not available, the conversation does not begin.
 */
export default listen('session:begin', {
  filter: {live: true},
  critical: true,
  async run({value}, {service}) {
    return {...value, id: await (await service('recording')).begin(value.id)};
  },
});
