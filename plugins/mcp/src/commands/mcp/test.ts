import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {ServerCheck} from '../../contract.js';

export default class McpTest extends KernelCommand {
  static override summary = 'Connect to an MCP server and show where it fails.';
  static override description =
    'The server is started or reached with a connection of its own, also when it is disabled. The exit code is 1 if ' +
    'a step fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> github --json',
  ];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<ServerCheck> {
    const {args} = await this.parse(McpTest);
    const check = await (await this.service('mcp')).check(args.name);
    for (const {step, ok, ms, detail, hint} of check.steps) {
      const took = ms < 10 ? '' : this.style('dim', `  ${ms} ms`);
      this.log(`${this.style(ok ? 'good' : 'bad', ok ? '✓' : '✗')} ${step.padEnd(14)} ${detail}${took}`);
      if (hint !== undefined) this.log(`  ${' '.repeat(14)} ${this.style('dim', hint)}`);
    }
    for (const {name, description} of check.tools) this.log(`  ${name}  ${this.style('dim', firstLine(description))}`);
    const failed = check.steps.find(({ok}) => !ok);
    if (failed)
      throw new KernelError('MCP_SERVER_UNAVAILABLE', `The MCP server "${args.name}" does not work: ${failed.step}.`, {
        hint: `\`gemini mcp logs ${args.name}\` shows what it printed.`,
        data: check,
      });
    return check;
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
