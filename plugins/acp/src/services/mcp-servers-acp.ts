import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '../contract.js';
import {SERVERS} from '../serve/read-servers.js';

/** The MCP servers that an editor gives with a session. They count in trusted folders only. */
export default provide('mcp-servers:acp', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create({environment, service, names}) {
    const key = environment.flags[SERVERS];
    return {
      async list() {
        if (typeof key !== 'string') return [];
        // Without the plugin that knows, no folder is trusted.
        const isTrusted = names('trust').length > 0 && (await (await service('trust')).state()).trusted;
        return isTrusted ? (await service('acp-clients')).servers(key) : [];
      },
    };
  },
});
