import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Asks the person at the editor whether a call may run. */
export default listen('tool:confirm', {
  filter: {live: true, present},
  async run(question, {service, session, signal}) {
    return (await (await service('acp-clients')).find(session.id))?.confirm(question, signal);
  },
});
