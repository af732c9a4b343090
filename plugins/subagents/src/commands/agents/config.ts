import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {AgentCommand} from '../../agent-command.js';
import {describeLimits} from '../../describe-limits.js';

/** What of an agent settings change, by the key below `agents.overrides.<name>`. */
interface Configured {
  readonly name: string;
  readonly enabled: boolean;
  readonly model: string;
  readonly temperature: number;
  readonly topP: number;
  readonly maxTurns: number;
  readonly maxMinutes: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly tools?: readonly string[];
  /** The file that was changed. */
  readonly file?: string;
}

export default class AgentsConfig extends AgentCommand {
  static override summary = 'Show or change what settings say about an agent: its model, its limits, its tools.';
  static override description =
    'Writes agents.overrides.<name>. Settings of a project only disable agents and lower limits. An empty value ' +
    'removes what is set.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> reviewer',
    '<%= config.bin %> <%= command.id %> reviewer --model pro --max-turns 60',
    '<%= config.bin %> <%= command.id %> reviewer --model ""',
  ];
  static override args = {name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true})};
  static override flags = {
    model: Flags.string({description: 'A name or an alias; inherit for the model of the conversation.'}),
    'max-turns': Flags.string({description: 'Requests to the model.'}),
    'max-minutes': Flags.string({description: 'Minutes that it may work.'}),
    'max-tokens': Flags.string({description: 'Tokens of all its requests.'}),
    'max-cost': Flags.string({description: 'Dollars that its requests may cost.'}),
    temperature: Flags.string({description: 'From 0 to 2.'}),
    tools: Flags.string({description: 'Names between commas, in place of those of its definition.'}),
    scope: Flags.option({
      char: 's',
      description: 'Where to write it: your settings, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<Configured> {
    const {args, flags} = await this.parse(AgentsConfig);
    const {name} = await this.find(args.name);
    const changes = [
      ['modelConfig.model', flags.model],
      ['runConfig.maxTurns', numberOf('--max-turns', flags['max-turns'], {least: 1, isWhole: true})],
      ['runConfig.maxTimeMinutes', numberOf('--max-minutes', flags['max-minutes'], {least: 0.01})],
      ['runConfig.maxTokens', numberOf('--max-tokens', flags['max-tokens'], {least: 1, most: 1e9, isWhole: true})],
      ['runConfig.maxCost', numberOf('--max-cost', flags['max-cost'], {least: 0.000_001})],
      [
        'modelConfig.generateContentConfig.temperature',
        numberOf('--temperature', flags.temperature, {least: 0, most: 2}),
      ],
      ['tools', flags.tools === '' ? '' : flags.tools?.split(',').map((one) => one.trim())],
    ] as const;
    const file = await this.write(name, changes, flags.scope === 'workspace' ? 'project' : 'user');
    return this.show(name, file);
  }

  /** The file that was changed. */
  private async write(
    name: string,
    changes: readonly (readonly [key: string, value: unknown])[],
    scope: 'project' | 'user',
  ): Promise<string | undefined> {
    const settings = await this.service('settings');
    let file: string | undefined;
    for (const [key, value] of changes) {
      if (value === undefined) continue;
      const kept = value === '' ? undefined : value;
      ({path: file} = await settings.set(`agents.overrides.${name}.${key}`, kept, {scope}));
    }
    if (file !== undefined) await (await this.service('subagents')).refresh();
    return file;
  }

  private async show(name: string, file: string | undefined): Promise<Configured> {
    const agent = await this.find(name);
    const {enabled, model, temperature, topP, maxTurns, maxMinutes, maxTokens, maxCost, tools, warnings} = agent;
    if (file !== undefined) this.log(`Written to ${file}.`);
    this.log(`${this.style('strong', name)}${enabled ? '' : ', disabled'}`);
    this.log(`  model ${model}, temperature ${temperature}, at most ${describeLimits(agent)}`);
    this.log(`  tools: ${tools ? tools.join(', ') : 'all of the conversation but invoke_agent'}`);
    for (const warning of warnings) this.log(`  ${this.style('warn', warning)}`);
    return {
      ...{name, enabled, model, temperature, topP, maxTurns, maxMinutes},
      ...(maxTokens === undefined ? {} : {maxTokens}),
      ...(maxCost === undefined ? {} : {maxCost}),
      ...(tools ? {tools} : {}),
      ...(file === undefined ? {} : {file}),
    };
  }
}

interface Range {
  readonly least: number;
  readonly most?: number;
  readonly isWhole?: true;
}

/** A number as typed; an empty text removes what is set. Throws KernelError AGENT_INVALID. */
function numberOf(
  flag: string,
  text: string | undefined,
  {least, most = 100_000, isWhole}: Range,
): number | '' | undefined {
  if (text === undefined || text.trim() === '') return text === undefined ? undefined : '';
  const value = Number(text);
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  const kind = isWhole ? 'a whole number' : 'a number';
  throw new KernelError('AGENT_INVALID', `${flag} is ${kind} from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}
