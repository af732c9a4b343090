import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Sends a notice to the MCP client that a session is served to, as a log message. */
export default listen('session:notice', {
  filter: {live: true},
  async run(notice, {service, session}) {
    const person = await (await service('mcp-clients')).find(session.id);
    return (await person?.show(notice)) ? ['shown'] : [];
  },
});
