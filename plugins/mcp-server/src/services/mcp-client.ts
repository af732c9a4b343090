import {KernelError, provide} from '@gemini-kernel/kernel';
import type {LiveClient} from '../contract.js';

/** The MCP client whose request is under way, for tools and prompts that need more of it than a form. */
export default provide('mcp-client', {
  version: '1.0.0',
  scope: 'session',
  methods: ['capabilities', 'require', 'send'],
  create({session, service}) {
    const find = async (request: string): Promise<LiveClient | undefined> =>
      (await (await service('mcp-clients')).find(session.id))?.clientOf(request);
    const get = async (request: string): Promise<LiveClient> => {
      const client = await find(request);
      if (client) return client;
      throw new KernelError('MCP_CLIENT_LACKS', 'This call does not come from an MCP client, which this needs.', {
        hint: 'Use it through `gemini mcp serve`.',
      });
    };
    return {
      capabilities: async (request) => (await find(request))?.capabilities ?? null,
      require: async (request, capabilities) => (await get(request)).require(capabilities),
      send: async (request, requests) => (await get(request)).send(requests),
    };
  },
});
