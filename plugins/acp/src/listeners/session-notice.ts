import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Shows a notice to the person at the editor. */
export default listen('session:notice', {
  filter: {live: true, present},
  async run(notice, {service, session}) {
    const person = await (await service('acp-clients')).find(session.id);
    return (await person?.show(notice)) ? ['shown'] : [];
  },
});
