import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  MCP_RESOURCE_UNREADABLE: {when: 'A file that an MCP client asked for cannot be read.'},
  MCP_SERVE_FAILED: {when: 'gemini mcp serve cannot listen at its address.'},
  MCP_SERVE_INVALID: {when: 'The options of gemini mcp serve do not describe a safe server.', exit: 42},
} as const satisfies ErrorTable;
