import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** While the person is asked about a call of an agent, its time stands still. */
export default listen('tool:choices', {
  async run(_, {service, session}) {
    if (session.subagent !== undefined) await (await service('running-agents')).pause(session.id);
    return [];
  },
});
