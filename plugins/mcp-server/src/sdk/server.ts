export {
  createMcpHandler,
  inputRequired,
  isInitializeRequest,
  isLegacyRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
export {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
export type {
  EventStore,
  CallToolResult,
  ContentBlock,
  ElicitRequestFormParams,
  ElicitResult,
  InputRequiredResult,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
