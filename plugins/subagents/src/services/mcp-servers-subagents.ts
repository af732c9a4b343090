import {provide} from '@gemini-kernel/kernel';
import type {ServerSource} from '@gemini-kernel/plugin-mcp/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '../contract.js';
import {SERVERS} from '../running/own-place.js';

/** The MCP servers of the agent that works in this place. They count in trusted folders only. */
export default provide('mcp-servers:subagents', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create({environment, service}): ServerSource {
    const key = environment.flags[SERVERS];
    return {
      async list() {
        if (typeof key !== 'string' || !(await (await service('trust')).state()).trusted) return [];
        const lent = await (await service('running-agents')).servers(key);
        if (!lent) return [];
        const source = `the agent "${lent.agent}"`;
        return Object.entries(lent.servers).map(([name, value]) => ({name, value, from: lent.agent, source}));
      },
    };
  },
});
