import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  LOGIN_FAILED: {when: 'A login at what is no MCP server, such as a remote agent, did not succeed.'},
  LOGIN_NEEDED: {when: 'What is no MCP server, such as a remote agent, asks for a login.'},
  MCP_CALL_FAILED: {when: 'An MCP server reported an error for a call, or broke the protocol.'},
  MCP_CREDENTIALS_BROKEN: {when: 'The credentials of MCP servers cannot be read or written.'},
  MCP_LOGIN_FAILED: {when: 'A login at an MCP server did not succeed.'},
  MCP_LOGIN_NEEDED: {when: 'An MCP server asks for a login, and no one was there to log in.'},
  MCP_SERVER_INVALID: {when: 'What is said about an MCP server does not describe one.', exit: 42},
  MCP_SERVER_UNAVAILABLE: {when: 'An MCP server cannot be started or reached.'},
  MCP_SERVER_UNKNOWN: {when: 'There is no MCP server of this name.', exit: 42},
  MCP_TIMEOUT: {when: 'An MCP server did not answer in time.'},
  MCP_TOOL_GONE: {when: 'An MCP server no longer has a tool that it had before.'},
} as const satisfies ErrorTable;
