import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/**
 * Puts what is used of the MCP SDK into one file for each side: the whole of it with its packages would be 27 MB and 90
 * more modules to read. Its validator, a third of each file, has nothing to check here.
 */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({
    entries: {'mcp-client.js': 'mcp/client.js', 'mcp-server.js': 'mcp/server.js'},
    replace: [{path: /\/ajv-provider\.js$/, by: 'mcp/no-validator.js'}],
    licences: 'mcp-licenses.txt',
  });
}
