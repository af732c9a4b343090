export {Client} from 'mcp-sdk/client/index.js';
export {StdioClientTransport} from 'mcp-sdk/client/stdio.js';
export {StreamableHTTPClientTransport, StreamableHTTPError} from 'mcp-sdk/client/streamableHttp.js';
export {ErrorCode, McpError} from 'mcp-sdk/types.js';
