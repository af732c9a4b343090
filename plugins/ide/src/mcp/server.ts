export {Server} from 'mcp-sdk/server/index.js';
export {WebStandardStreamableHTTPServerTransport} from 'mcp-sdk/server/webStandardStreamableHttp.js';
export {CallToolRequestSchema, EmptyResultSchema, isInitializeRequest, ListToolsRequestSchema} from 'mcp-sdk/types.js';
