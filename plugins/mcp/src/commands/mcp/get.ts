import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ServerInfo} from '../../contract.js';
import {findInfo} from '../../find-info.js';

export default class McpGet extends KernelCommand {
  static override summary = 'Show one MCP server: where it is configured, and whether it is used.';
  static override description = 'Values of its variables and headers are not shown.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> github --json',
  ];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<ServerInfo> {
    const {args} = await this.parse(McpGet);
    const server = findInfo(await (await this.service('mcp')).list(), args.name);
    const {origin, remembered} = server;
    const rows = [
      ['transport', server.transport],
      ['target', server.target],
      ['configured', `${origin.layer}${origin.source === undefined ? '' : `, ${origin.source}`}`],
      ['used', server.leftOut ? `no: ${server.leftOut.sentence}` : 'yes'],
      ['trusted', server.isTrusted ? 'yes: its tools run without a question' : 'no'],
      ...(server.description === undefined ? [] : [['description', server.description]]),
      [
        'remembered',
        remembered ? `${remembered.tools} tools of ${remembered.server ?? 'it'}, ${remembered.at}` : 'nothing',
      ],
    ];
    this.log(this.style('good', server.name));
    for (const [key = '', value = ''] of rows) this.log(`  ${key.padEnd(12)} ${value}`);
    return server;
  }
}
