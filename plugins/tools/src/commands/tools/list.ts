import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

interface Listed {
  readonly name: string;
  readonly effect: string;
  readonly plugin: string;
  readonly description: string;
  /** The plugin of the product whose tool it replaces. */
  readonly replaces?: string;
}

/** A tool that is not offered, and the plugin that leaves it out. */
interface LeftOut {
  readonly tool: string;
  readonly plugin: string;
}

export default class ToolsList extends KernelCommand {
  static override summary = 'List all tools.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --offered --approval-mode plan',
    '<%= config.bin %> <%= command.id %> --offered --why',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = {
    offered: Flags.boolean({
      description: 'Only those offered to a model here, without tools that are always denied.',
    }),
    why: Flags.boolean({
      description: 'With --offered: also those that are not offered, and which plugin leaves them out.',
      dependsOn: ['offered'],
    }),
  };
  static override slash = true;

  async run(): Promise<{readonly tools: readonly Listed[]; readonly leftOut?: readonly LeftOut[]}> {
    const {flags} = await this.parse(ToolsList);
    const found = flags.offered ? await this.conversation.offered() : await this.conversation.tools();
    const tools = found.map(({name, effect, plugin, description, replaces}): Listed => ({
      name,
      effect,
      plugin,
      description,
      ...(replaces ? {replaces} : {}),
    }));
    const others = flags.why ? await this.conversation.leftOut() : [];
    const width = Math.max(
      0,
      ...[...tools.map(({name}) => name), ...others.map(({tool}) => tool)].map(({length}) => length),
    );
    if (tools.length === 0)
      this.log(flags.offered ? 'No tool is offered here.' : 'No installed plugin provides a tool.');
    for (const {name, effect, plugin, description, replaces} of tools) {
      const [first = ''] = description.split(/(?<=\.)\s|\n/);
      this.log(
        `${this.style('strong', name.padEnd(width))}  ${effect.padEnd(7)}  ${first}  ` +
          `${this.style('dim', plugin)}${replaces ? this.style('warn', ` replaces that of ${replaces}`) : ''}`,
      );
    }
    for (const {tool, plugin} of others) this.log(this.style('dim', `${tool.padEnd(width)}  is left out by ${plugin}`));
    return {tools, ...(flags.why ? {leftOut: others} : {})};
  }
}
