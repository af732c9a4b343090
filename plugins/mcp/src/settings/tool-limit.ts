import {defineSetting} from '@gemini-kernel/kernel';

/** When tools of MCP servers are searched instead of listed. */
export default defineSetting('mcp.toolLimit', {
  schema: {type: 'number'},
  default: 100,
  description: 'Tools of MCP servers beyond which the model finds them with find_tools; 0 = never.',
  category: 'MCP',
});
