import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {ContextCommand, type Looked} from '../../context-command.js';
import type {DescribedNode} from '../../contract.js';
import {toText} from '../../plan/plan-masks.js';

/** Shown unless all are asked for. */
const MOST = 40;

export default class ContextExplain extends ContextCommand {
  static override summary = 'Explain for each part of a conversation whether the next request has it, and why.';
  static override description =
    'A call and its result are one part. Each has an id that stays the same in a continued conversation. Without ' +
    `--all the newest ${MOST} are shown.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> latest --left-out',
    '<%= config.bin %> <%= command.id %> 3 --node 5f0c.1 --json',
  ];
  static override args = {
    session: Args.string({
      description: 'Number, id or latest. Default in a conversation: the current one.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    all: Flags.boolean({description: 'Show all parts.'}),
    'left-out': Flags.boolean({description: 'Show only what the request leaves out.'}),
    node: Flags.string({description: 'Show only the part with this id.'}),
  };
  static override slash = true;

  async run(): Promise<Omit<Looked, 'frame'>> {
    const {args, flags} = await this.parse(ContextExplain);
    const {frame: _, ...looked} = await this.look(args.session);
    const nodes = choose(looked.nodes, flags);
    const shown = flags.all || flags['left-out'] || flags.node !== undefined ? nodes : nodes.slice(-MOST);
    const older = nodes.length - shown.length;
    if (older > 0) this.log(this.style('dim', `${older} older parts (--all)\n`));
    for (const node of shown) this.#show(node);
    const nothing = flags['left-out'] ? 'The request leaves nothing out.' : 'The conversation is empty.';
    if (nodes.length === 0) this.log(nothing);
    return {...looked, nodes};
  }

  #show({id, kind, label, sent, tokens, form, why, since, file}: DescribedNode): void {
    const size = sent === tokens ? `~${toText(tokens)}` : `~${toText(sent)} of ${toText(tokens)}`;
    this.log(`${this.style('strong', id)} ${kind}, ${size} tokens  ${this.style('dim', label)}`);
    const when = since === undefined ? '' : ` Since request ${since + 1}.`;
    this.log(`  ${form === 'whole' ? form : this.style('warn', form)}: ${why}${when}`);
    if (file !== undefined) this.log(`  ${file}`);
  }
}

/** Throws KernelError CONTEXT_NODE_UNKNOWN. */
function choose(
  nodes: readonly DescribedNode[],
  {node, 'left-out': isLeftOut}: {readonly node?: string | undefined; readonly 'left-out': boolean},
): readonly DescribedNode[] {
  const kept = isLeftOut ? nodes.filter(({form}) => form !== 'whole') : nodes;
  if (node === undefined) return kept;
  const found = nodes.filter(({id}) => id === node);
  if (found.length > 0) return found;
  throw new KernelError('CONTEXT_NODE_UNKNOWN', `The conversation has no part with the id ${JSON.stringify(node)}.`, {
    hint: 'gemini context explain --all shows the ids.',
  });
}
