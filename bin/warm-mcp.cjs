// @ts-check
'use strict';
// The smallest MCP server, for `bin/warm.cjs`: one tool, and nothing else to list.
const tools = [{name: 'echo', description: 'Gives back the text.', inputSchema: {type: 'object'}}];

require('node:readline')
  .createInterface({input: process.stdin})
  .on('line', (line) => {
    const {id, method, params} = JSON.parse(line);
    if (id === undefined) return;
    const answer =
      method === 'initialize'
        ? {result: {protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo}}
        : method === 'tools/list'
          ? {result: {tools}}
          : {error: {code: -32601, message: `There is no ${method} here.`}};
    process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id, ...answer})}\n`);
  });

const serverInfo = {name: 'warm', version: '1.0.0'};
