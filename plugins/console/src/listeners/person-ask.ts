import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Shows a form to the person in a line-by-line conversation. */
export default listen('person:ask', {
  filter: {live: true},
  async run(form, {service, signal}) {
    return (await service('ui:console')).fill(form, signal);
  },
});
