import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asks the person in a line-by-line conversation; gives no answer without one. */
export default listen('tool:confirm', {
  filter: {live: true},
  async run(asked, {service, signal}) {
    return (await service('ui:console')).confirm(asked, signal);
  },
});
