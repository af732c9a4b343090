import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {McpChoice} from '../contract.js';
import {rankTools} from '../offers/rank-tools.js';

/** Tools that one search can make available. */
const MOST = 10;

/** Which tools of servers the model of a session is given, where there are too many to list. */
export default provide('mcp-choice', {
  version: '1.0.0',
  scope: 'session',
  methods: ['chosen', 'find', 'isNeeded'],
  create({service}): McpChoice {
    const chosen = new Set<string>();
    return {
      chosen: () => Promise.resolve([...chosen]),
      async find(query) {
        const found = rankTools(await (await service('mcp')).tools(), query, MOST);
        for (const {name} of found) chosen.add(name);
        return found;
      },
      async isNeeded() {
        const limit = await (await service('settings')).get('mcp.toolLimit');
        const most = typeof limit === 'number' ? limit : 100;
        return most > 0 && (await (await service('mcp')).tools()).length > most;
      },
    };
  },
});
