import {join} from 'node:path';
import {createPrivateFile} from '@gemini-kernel/files';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {mkdir} from 'node:fs/promises';
import {AgentCommand} from '../../agent-command.js';
import {parseAgent} from '../../definition/parse-agent.js';

export default class AgentsNew extends AgentCommand {
  static override summary = 'Write a new agent.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> translator',
    '<%= config.bin %> <%= command.id %> translator --description "Translates texts. Use it for …" --scope user',
  ];
  static override args = {
    name: Args.string({description: 'Lower-case letters, digits, - and _.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose agent: yours, or of this project.',
      options: ['user', 'workspace'] as const,
      default: 'workspace' as const,
    })(),
    description: Flags.string({description: 'What it does, and when to use it.'}),
  };
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly file: string}> {
    const {args, flags} = await this.parse(AgentsNew);
    const {home, cwd} = this.kernel.environment;
    const folder = join(flags.scope === 'user' ? home : cwd, '.gemini', 'agents');
    const file = join(folder, `${args.name}.md`);
    const text = draft(args.name, flags.description);
    const parsed = parseAgent(text);
    if (typeof parsed === 'string') throw new KernelError('AGENT_INVALID', `The agent ${parsed}.`);
    await this.write(folder, file, text);
    if (flags.scope === 'workspace') await this.agree(args.name);
    await this.refresh();
    this.log(`Wrote ${file}.`);
    this.log(`Write its instruction, then run \`gemini agents check ${JSON.stringify(file)}\`.`);
    return {name: args.name, file};
  }

  private async write(folder: string, file: string, text: string): Promise<void> {
    await mkdir(folder, {recursive: true});
    try {
      await createPrivateFile(file, text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      throw new KernelError('AGENT_EXISTS', `${file} is already there.`, {cause, hint: 'Choose another name.'});
    }
  }

  /** The person who writes an agent has read it; after a change it asks again. */
  private async agree(name: string): Promise<void> {
    const service = await this.service('subagents');
    await service.refresh();
    const {faults} = await service.list();
    if (faults.some(({kind, file}) => kind === 'unacknowledged' && file.endsWith(`${name}.md`)))
      await service.acknowledge([name]);
  }
}

function draft(name: string, description = 'Says in one sentence what it does, and when to use it.'): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
tools:
  - list_directory
  - read_file
  - glob
  - grep_search
max_turns: 30
timeout_mins: 10
---

You are … Say here what the agent is good at, how it works, and what it reports.
`;
}
