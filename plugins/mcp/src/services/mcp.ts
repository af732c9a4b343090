import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {Servers} from '../servers.js';

/** The MCP servers of one place: one connection to each, which its sessions share. */
export default provide('mcp', {
  version: '1.1.0',
  scope: 'place',
  reserved: true,
  local: ['attach', 'complete', 'follow', 'login', 'prompt', 'resource', 'run'],
  methods: [
    'list',
    'check',
    'instructions',
    'log',
    'logout',
    'prompts',
    'reload',
    'resources',
    'rootsChanged',
    'stale',
    'switch',
    'tools',
  ],
  create: (context) => new Servers(context),
  describe: async (mcp) => {
    const servers = await mcp.list();
    const used = servers.filter(({leftOut}) => leftOut === undefined);
    return `${servers.length} configured, ${used.length} in use`;
  },
  dispose: (mcp) => (mcp as Servers).close(),
});
