import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asks the person who converses line by line; has no answer when nobody does. */
export default listen('tool:confirm', {
  filter: {live: true},
  async run(asked, {service, signal}) {
    return (await service('ui:console')).confirm(asked, signal);
  },
});
