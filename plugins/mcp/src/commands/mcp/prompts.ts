import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {findInfo} from '../../find-info.js';
import type {ServerPrompt} from '../../contract.js';

export default class McpPrompts extends KernelCommand {
  static override summary = 'List the prompts that MCP servers offer.';
  static override description =
    'A prompt is a command in a conversation and in `gemini -p`: /name --argument=value. `/name help` lists its ' +
    'arguments.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> github --json',
  ];
  static override args = {server: Args.string({description: 'Only prompts of this server.', ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly prompts: readonly ServerPrompt[]}> {
    const {args} = await this.parse(McpPrompts);
    const mcp = await this.service('mcp');
    if (args.server !== undefined) findInfo(await mcp.list(), args.server);
    const all = await mcp.prompts();
    const prompts = all.filter(({server}) => args.server === undefined || server === args.server);
    for (const {server, name, description, arguments: given} of prompts) {
      const shown = given.map((one) => (one.isRequired ? `<${one.name}>` : `[${one.name}]`)).join(' ');
      this.log(
        `${name}${shown === '' ? '' : ` ${shown}`}  ${this.style('dim', `${server}: ${firstLine(description)}`)}`,
      );
    }
    if (prompts.length === 0) this.log('The MCP servers in use offer no prompts.');
    return {prompts};
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
