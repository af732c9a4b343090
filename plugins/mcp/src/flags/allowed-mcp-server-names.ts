import {defineFlag} from '@gemini-kernel/kernel';

/** `--allowed-mcp-server-names a,b`: the only MCP servers of this run. */
export default defineFlag('allowed-mcp-server-names', {
  description: 'The only MCP servers to use in this run, separated by commas; can be repeated.',
  type: 'string',
  multiple: true,
  setting: 'mcp.allowed',
});
