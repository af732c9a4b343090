import {Args} from '@oclif/core';
import {ContextCommand, type Looked} from '../../context-command.js';
import type {DescribedNode, NodeKind} from '../../contract.js';
import {toText} from '../../plan/plan-masks.js';

const TITLES: Readonly<Record<NodeKind, string>> = {
  prompt: 'prompts',
  event: 'context of the session',
  snapshot: 'summary of what came before',
  answer: 'answers of the model',
  thought: 'thoughts of the model',
  tool: 'calls and their output',
};

export default class ContextShow extends ContextCommand {
  static override summary = 'Show what the next request to the model contains, and what it leaves out.';
  static override description =
    'Sizes are estimates in tokens. Old tool output is left out step by step: its beginning, its end and the file ' +
    'that has the whole stay. The instruction and the tools are those of now, also for a recorded session.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 3 --json',
    '/context',
  ];
  static override args = {
    session: Args.string({
      description: 'Number, id or latest. Default in a conversation: the current one.',
      ignoreStdin: true,
    }),
  };
  static override aliases = ['/context'];
  static override slash = true;

  async run(): Promise<Looked> {
    const {args} = await this.parse(ContextShow);
    const looked = await this.look(args.session);
    const {frame, nodes, sent, counted, session} = looked;
    if (session) this.log(`${this.style('strong', session.title)} ${this.style('dim', session.id)}\n`);
    const tools = frame.tools.reduce((sum, {tokens}) => sum + tokens, 0);
    this.#line('instruction', frame.instruction);
    this.#line(`tools (${frame.tools.length})`, tools);
    for (const [kind, title] of Object.entries(TITLES) as [NodeKind, string][]) {
      const own = nodes.filter((node) => node.kind === kind);
      if (own.length > 0) this.#line(`${title} (${own.length})`, sum(own));
    }
    const total = frame.instruction + tools + sent;
    this.#line(this.style('strong', `of ${frame.model}`), total, shareOf(total, frame.inputLimit));
    if (counted !== undefined) this.log(`The model counted ${toText(counted)} at its last request.`);
    this.#sayLeftOut(looked);
    this.log(looked.next);
    const {compressAt} = frame;
    if (compressAt > 0)
      this.log(`At ${toText(compressAt)} tokens the older part is summarised (/compress does it now).`);
    return looked;
  }

  #sayLeftOut({nodes, saved, profile}: Looked): void {
    const short = nodes.filter(({form}) => form !== 'whole');
    this.log('');
    if (short.length === 0) this.log(`Nothing is left out (profile ${profile}).`);
    else
      this.log(
        `Left out: about ${toText(saved)} tokens of ${short.length} calls (profile ${profile}). The model can read ` +
          'them again; gemini context explain shows where they are.',
      );
  }

  #line(title: string, tokens: number, more = ''): void {
    this.log(`${`~${toText(tokens)}`.padStart(11)}  ${title}${more}`);
  }
}

function sum(nodes: readonly DescribedNode[]): number {
  return nodes.reduce((total, {sent}) => total + sent, 0);
}

function shareOf(tokens: number, limit: number): string {
  return limit > 0 ? `, ${Math.round((100 * tokens) / limit)} % of ${toText(limit)}` : '';
}
