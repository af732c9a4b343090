import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/** Puts what is used of the MCP SDK into one file. Its validator stays out: the kernel checks what servers answer. */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({
    entries: {'mcp-sdk.js': 'sdk/client.js'},
    replace: [{path: /^@modelcontextprotocol\/client\/_shims$/, by: 'sdk/shims.js'}],
    licences: 'mcp-sdk-licenses.txt',
  });
}
