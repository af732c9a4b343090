import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ToolInfo} from '@gemini-kernel/kernel/host';
import {findTool} from '../../find-tool.js';
import {renderParameters} from '../../render.js';

export default class ToolsDescribe extends KernelCommand {
  static override summary = 'Show what a tool does, and its parameters.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> read_file',
    '<%= config.bin %> <%= command.id %> read_file --json',
  ];
  static override args = {name: Args.string({description: 'Name of the tool.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<ToolInfo> {
    const {args} = await this.parse(ToolsDescribe);
    const tool = await findTool(this.kernel, this.conversation, args.name);
    const hints = Object.entries(tool.annotations)
      .filter(([, value]) => value === true)
      .map(([name]) => name.replace(/Hint$/, ''));
    this.log(
      `${this.style('strong', tool.name)}  ${[tool.effect, ...hints].join(', ')}  ${this.style('dim', tool.plugin)}`,
    );
    this.log(tool.description);
    const parameters = renderParameters(tool.input, (style, text) => this.style(style, text));
    this.log(parameters.length > 0 ? `\nParameters\n${parameters.join('\n')}` : '\nIt has no parameters.');
    return tool;
  }
}
