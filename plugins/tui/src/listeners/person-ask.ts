import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Shows a form to the person in a conversation in a terminal. */
export default listen('person:ask', {
  filter: {live: true},
  async run(form, {service, signal}) {
    return (await service('ui:terminal')).fill(form, signal);
  },
});
