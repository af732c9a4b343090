import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Rule, Tier} from '../../contract.js';
import {commandsOf, describeConditions, placeOf} from '../../describe-rule.js';
import {groupBy, type Group} from '../../group-by.js';
import {tiers} from '../../rule.js';
import {tellUnknownTool} from '../../unknown-tool.js';

interface Listed {
  readonly rules: readonly Rule[];
  readonly files: readonly string[];
}

const TITLES: Readonly<Record<Tier, string>> = {
  admin: 'Administrator',
  user: 'You',
  session: 'Approved in this session',
  workspace: 'This project (only makes it stricter)',
  extension: 'Extensions (only make it stricter)',
  default: 'Defaults',
};
const WIDEST_ID = 26;

export default class PolicyList extends KernelCommand {
  static override summary = 'List the rules that say what may run, in the order they are asked.';
  static override description =
    'Of the rules that match a call the first decides; the number in front is its priority. A rule marked with ! ' +
    'is sensitive: only a rule that names a path lifts it. Long lists are cut, --json has all of it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --tool run_shell_command',
    '<%= config.bin %> <%= command.id %> --tier user --json',
  ];
  static override flags = {
    tool: Flags.string({description: 'Only rules that speak about this tool.'}),
    tier: Flags.option({description: 'Only rules of this tier.', options: tiers})(),
  };
  static override aliases = ['/permissions'];
  static override slash = true;

  async run(): Promise<Listed> {
    const {flags} = await this.parse(PolicyList);
    const all = await (await this.service('policy')).rules();
    const unknown = flags.tool === undefined ? undefined : tellUnknownTool(flags.tool, await this.conversation.tools());
    if (unknown) this.logToStderr(unknown);
    const about = await this.#findAbout(flags.tool, all.rules);
    const rules = about.filter(({source}) => !flags.tier || source.tier === flags.tier);
    // One entry of a file with several commands is a rule for each.
    const groups = groupBy(rules, (rule) => ({...rule, command: undefined}));
    const width = Math.min(WIDEST_ID, Math.max(0, ...rules.map(({id}) => id.length)));
    let tier: Tier | undefined;
    for (const group of groups) {
      if (group[0].source.tier !== tier)
        this.log(this.style('strong', `${tier === undefined ? '' : '\n'}${TITLES[(tier = group[0].source.tier)]}`));
      this.log(this.#line(group, width));
    }
    if (rules.length === 0) this.log('No rule says anything about that.');
    this.log(
      this.style(
        'dim',
        `\n${rules.length} of ${all.rules.length} rules, from ${all.files.length} files and the settings. gemini ` +
          'policy explain <tool> shows which one decides about a call.',
      ),
    );
    return {rules, files: all.files};
  }

  async #findAbout(tool: string | undefined, rules: readonly Rule[]): Promise<readonly Rule[]> {
    if (tool === undefined) return rules;
    const {meansTool, namesOf} = await import('../../engine/tool-pattern.js');
    const names = namesOf(tool, {});
    return rules.filter(
      ({tools, except = []}) =>
        tools.some((pattern) => meansTool(pattern, names)) && !except.some((pattern) => meansTool(pattern, names)),
    );
  }

  #line(group: Group<Rule>, width: number): string {
    const [rule] = group;
    const {decision, sensitive, priority, id} = rule;
    const word = this.style(
      decision === 'deny' ? 'bad' : decision === 'ask' ? 'warn' : 'good',
      `${decision}${sensitive ? '!' : ''}`.padEnd(6),
    );
    const place = placeOf(rule);
    return (
      `  ${String(priority).padStart(3)}  ${word} ${id.padEnd(width)}  ` +
      `${describeConditions(rule, group.flatMap(commandsOf))}${place ? `  ${this.style('dim', place)}` : ''}`
    );
  }
}
