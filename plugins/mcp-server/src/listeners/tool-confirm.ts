import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asks the person of the MCP client that a session is served to. */
export default listen('tool:confirm', {
  filter: {live: true},
  async run(question, {service, session, signal}) {
    return (await (await service('mcp-clients')).find(session.id))?.confirm(question, signal);
  },
});
