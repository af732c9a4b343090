export {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
export type {JSONRPCMessage, StandardSchemaV1, Tool, Transport} from '@modelcontextprotocol/client';
export {default as spawn} from 'cross-spawn';
