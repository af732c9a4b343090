import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {AgentCommand} from '../../agent-command.js';
import {isListed} from '../../definition/matches-tool.js';
import type {ParsedAgent} from '../../definition/parse-agent.js';
import {readDefinition} from '../../definition/read-definition.js';
import {INVOKE} from '../../tool-name.js';

interface Checked {
  readonly file: string;
  readonly name: string;
  readonly warnings: readonly string[];
}

export default class AgentsCheck extends AgentCommand {
  static override summary = 'Check the file of an agent.';
  static override description =
    'Reads the file as a conversation does, and names keys without an effect and tools that are not there. Exit code ' +
    '42 if it is not an agent.';
  static override examples = ['<%= config.bin %> <%= command.id %> .gemini/agents/translator.md'];
  static override args = {file: Args.string({description: 'Its file.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<Checked> {
    const {args} = await this.parse(AgentsCheck);
    const file = resolve(this.kernel.environment.cwd, args.file);
    const parsed = await readDefinition(file);
    const {name, tools} = parsed.definition;
    const warnings = [...parsed.warnings, ...(await this.findMissing(parsed))];
    this.log(`${file} is the agent "${name}"${tools ? ` with the tools ${tools.join(', ')}` : ''}.`);
    for (const warning of warnings) this.log(this.style('warn', warning));
    return {file, name, warnings};
  }

  private async findMissing({definition: {tools = []}}: ParsedAgent): Promise<readonly string[]> {
    const names = (await this.conversation.tools()).map(({name}) => name);
    return tools
      .filter((pattern) => pattern !== INVOKE && !names.some((name) => isListed([pattern], name)))
      .map((pattern) => `There is no tool ${pattern} now.`);
  }
}
