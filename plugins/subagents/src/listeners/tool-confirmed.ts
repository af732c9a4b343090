import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** The time of an agent goes again when the person has answered. */
export default listen('tool:confirmed', {
  async run({value}, {service, session}) {
    if (session.subagent !== undefined) await (await service('running-agents')).resume(session.id);
    return value;
  },
});
