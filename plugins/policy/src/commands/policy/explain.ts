import {KernelError, type EndedCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-doctor/contract';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Decision, Explained, ExplainedPart, Looked, Mode} from '../../contract.js';
import {describeCase} from '../../describe-case.js';
import {describeConditions, placeOf} from '../../describe-rule.js';
import {nameRule} from '../../engine/say.js';
import {groupBy, type Group} from '../../group-by.js';
import {modes, strengthOf} from '../../rule.js';
import {tellUnknownTool} from '../../unknown-tool.js';

interface Explanations {
  readonly tool: string;
  readonly input: unknown;
  readonly modes: readonly Explained[];
}

const MARKS = {yes: '✓', maybe: '?', no: '·'} as const;
const SURENESS = {yes: 2, maybe: 1, no: 0} as const;
const LONGEST_PART = 60;
/** Stands for the newest call. */
const LAST = 'last';

export default class PolicyExplain extends KernelCommand {
  static override summary =
    'Say how a call would be judged in each approval mode, which rule decides, and every rule that was looked at.';
  static override description =
    'Nothing is run. A rule marked with ✓ matches, one with ? may match when the command runs, one with · does ' +
    'not. Long lists are cut, --json has all of it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> read_file file_path=.env',
    "<%= config.bin %> <%= command.id %> run_shell_command 'command=git log | head'",
    '<%= config.bin %> <%= command.id %> last',
    '<%= config.bin %> <%= command.id %> write_file --args \'{"file_path": "a.txt", "content": ""}\' --mode yolo ' +
      '--headless',
  ];
  static override args = {
    tool: Args.string({
      description: 'Name of the tool, or "last" for the newest call.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    args: Flags.string({description: 'The input, as a JSON object.', helpValue: '<json>'}),
    mode: Flags.option({description: 'Only in this mode.', options: modes})(),
    caller: Flags.string({description: 'As for another program: the name of its token.', helpValue: '<name>'}),
    headless: Flags.boolean({description: 'As if no person could be asked.'}),
  };
  static override strict = false;
  static override slash = true;

  async run(): Promise<Explanations> {
    const {args, argv, flags} = await this.parse(PolicyExplain);
    const last = args.tool === LAST ? await this.#findLast() : undefined;
    const tool = last?.tool ?? args.tool;
    const call = await describeCase(this.conversation, {
      tool,
      input: last ? JSON.stringify(last.given) : flags.args,
      pairs: argv.slice(1).map(String),
    });
    if (last)
      this.log(`${this.style('strong', tool)} ${this.style('dim', JSON.stringify(last.given).slice(0, LONGEST_PART))}`);
    const policy = await this.service('policy');
    const unknown = tellUnknownTool(tool, await this.conversation.tools());
    if (unknown) this.logToStderr(unknown);
    const asked: readonly Mode[] = flags.mode ? [flags.mode] : modes;
    const explained: Explained[] = [];
    const {caller} = flags;
    for (const mode of asked) explained.push(await policy.explain(call, {mode, caller, interactive: !flags.headless}));
    for (const alike of groupBy(explained, ({decision, reason, parts}) => [decision, reason, parts])) this.#show(alike);
    this.log(this.style('strong', '\nRules that were looked at, the strongest first:'));
    const looked = mergeLooked(explained);
    const width = Math.max(0, ...looked.map(({rule}) => rule.id.length));
    for (const one of looked) this.log(this.#line(one, width));
    if (looked.length === 0) this.log('  None: no rule speaks about this tool.');
    return {tool, input: call.input, modes: explained};
  }

  /** The newest call, where a plugin keeps them. */
  async #findLast(): Promise<Pick<EndedCall, 'tool' | 'given'>> {
    // Rules are explained without a journal too, so it is not required.
    const newest = this.host.catalog.services.has('journal')
      ? await (await this.conversation.service('journal')).find(LAST)
      : undefined;
    if (newest) return newest;
    throw new KernelError('CALL_UNCLEAR', 'There is no last call to explain: none was kept.', {
      hint: 'Name a tool and its input instead.',
    });
  }

  #show([first, ...others]: Group<Explained>): void {
    const {decision, reason, parts, interactive} = first;
    const names = [first, ...others].map(({mode}) => mode);
    const unasked = decision === 'ask' && !interactive ? '; refused without a person to ask' : '';
    this.log(`${this.style('strong', names.join(', '))}: ${this.#word(decision, 0)}${unasked}\n  ${reason}`);
    const telling = parts.filter(isTelling);
    // Where one rule speaks about all of it, the parts say nothing more.
    if (groupBy(telling, (part) => [part.decision, part.rule, part.reason]).length < 2) return;
    for (const part of telling) {
      const what = part.what.length > LONGEST_PART ? `${part.what.slice(0, LONGEST_PART - 1)}…` : part.what;
      this.log(
        `    ${this.#word(part.decision, 5)}  ` +
          `${what.replaceAll(/\s+/g, ' ')}${this.style('dim', `  ${part.reason ?? (part.rule ? nameRule(part.rule) : '')}`)}`,
      );
    }
  }

  #word(decision: Decision, width: number): string {
    return this.style(decision === 'deny' ? 'bad' : decision === 'ask' ? 'warn' : 'good', decision.padEnd(width));
  }

  #line({rule, match}: Looked, width: number): string {
    const place = placeOf(rule);
    const line =
      `  ${MARKS[match]} ${rule.decision.padEnd(5)}  ${rule.id.padEnd(width)}  ` +
      `${match === 'no' ? '' : `${describeConditions(rule)}  `}`;
    return match === 'no' ? this.style('dim', `${line}${place}`) : `${line}${this.style('dim', place)}`;
  }
}

/** A part without an objection says nothing. */
function isTelling({decision, rule}: ExplainedPart): boolean {
  return decision !== 'allow' || rule !== undefined;
}

/** Every rule that was looked at in some mode, as near as it came to matching. */
function mergeLooked(explained: readonly Explained[]): readonly Looked[] {
  const merged = groupBy(
    explained.flatMap(({looked}) => looked),
    ({rule}) => rule,
  ).map((alike) => alike.reduce((a, b) => (SURENESS[b.match] > SURENESS[a.match] ? b : a)));
  return merged.sort((a, b) => strengthOf(b.rule) - strengthOf(a.rule));
}
