import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Shows a form to the person at the editor. */
export default listen('person:ask', {
  filter: {live: true, present},
  async run(form, {service, session, signal}) {
    return (await (await service('acp-clients')).find(session.id))?.fill(form, signal);
  },
});
