import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Tells the MCP client that a session is served to that its lists have changed. */
export default listen('sources:changed', {
  async run({source}, {service, session}) {
    const person = await (await service('mcp-clients')).find(session.id);
    person?.listsChanged(source);
  },
});
