import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Settles which session a conversation is. One that was asked for and cannot be had keeps it from beginning. */
export default listen('session:begin', {
  filter: {live: true},
  critical: true,
  async run({value}, {service}) {
    return {...value, id: await (await service('recording')).begin(value.id)};
  },
});
