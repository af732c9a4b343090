import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Shows a form to the person of the MCP client that a session is served to. */
export default listen('person:ask', {
  filter: {live: true},
  async run(form, {service, session, signal}) {
    return (await (await service('mcp-clients')).find(session.id))?.fill(form, signal);
  },
});
