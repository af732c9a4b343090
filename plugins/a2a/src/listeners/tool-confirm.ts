import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Asks the other agent whether a call may run. */
export default listen('tool:confirm', {
  filter: {live: true, present},
  async run(question, {service, session, signal}) {
    return (await (await service('a2a-clients')).find(session.id))?.confirm(question, signal);
  },
});
