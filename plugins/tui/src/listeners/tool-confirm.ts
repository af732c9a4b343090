import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asks the person in a conversation in a terminal; gives no answer without one. */
export default listen('tool:confirm', {
  filter: {live: true},
  async run(asked, {service, signal}) {
    return (await service('ui:terminal')).confirm(asked, signal);
  },
});
