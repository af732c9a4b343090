import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/** Puts what is used of the MCP SDK into one file. Its validator stays out: the kernel checks inputs and answers. */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({
    entries: {'mcp-server-sdk.js': 'sdk/server.js'},
    replace: [{path: /^@modelcontextprotocol\/server\/_shims$/, by: 'sdk/shims.js'}],
    licences: 'mcp-server-sdk-licenses.txt',
  });
}
