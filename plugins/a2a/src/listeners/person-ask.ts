import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Shows a form to the other agent. */
export default listen('person:ask', {
  filter: {live: true, present},
  async run(form, {service, session, signal}) {
    return (await (await service('a2a-clients')).find(session.id))?.fill(form, signal);
  },
});
