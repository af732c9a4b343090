import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  MCP_CLIENT_FAILED: {when: 'An MCP client refused a request of a tool or prompt.'},
  MCP_CLIENT_LACKS: {when: 'A tool or prompt needs something of an MCP client that the client does not declare.'},
  MCP_PROMPT_UNKNOWN: {when: 'No plugin serves the prompt that an MCP client asked for.'},
  MCP_RESOURCE_UNREADABLE: {when: 'A resource that an MCP client asked for cannot be read.'},
  MCP_SERVE_FAILED: {when: 'gemini mcp serve cannot listen at its address.'},
  MCP_SERVE_INVALID: {when: 'The options of gemini mcp serve do not describe a safe server.', exit: 42},
} as const satisfies ErrorTable;
