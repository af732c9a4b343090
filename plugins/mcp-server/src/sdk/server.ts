export {
  createMcpHandler,
  inputRequired,
  isInitializeRequest,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
export {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
export type {
  CallToolResult,
  ContentBlock,
  ElicitRequestFormParams,
  ElicitResult,
  InputRequiredResult,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
