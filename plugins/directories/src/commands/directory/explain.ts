import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {IgnoreRule, PathExplanation, Root} from '@gemini-kernel/plugin-workspace/contract';
import {FAULTS, findFault} from '../../find-fault.js';
import {explainOutside} from '../../outside-reason.js';
import {nameSource} from '../../source-name.js';

type Explained = PathExplanation & {
  /** Whether tools may reach it. */
  readonly reachable: boolean;
  /** Why not. */
  readonly reason?: string;
};

export default class DirectoryExplain extends KernelCommand {
  static override summary = 'Explain whether tools may reach a path, and why.';
  static override description = [
    'Shows the real path, which directory of the workspace contains it or why none does, and which line of ' + 'which',
    'file ignores it. The exit code is 1 when tools do not reach it.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> <%= command.id %> build/output.js',
    '<%= config.bin %> <%= command.id %> ../other --json',
  ];
  static override args = {
    path: Args.string({description: 'File or directory; it need not exist yet.', required: true, ignoreStdin: true}),
  };
  static override aliases = ['/dir:explain'];
  static override slash = true;

  async run(): Promise<Explained> {
    const {args} = await this.parse(DirectoryExplain);
    const workspace = await this.service('workspace');
    const explanation = await workspace.explain(args.path);
    const {root} = explanation;
    const reason = root === undefined ? explainOutside(args.path, await workspace.roots()) : await explainFault(root);
    this.log(this.style('strong', args.path));
    this.#row('real path', explanation.exists ? explanation.real : `${explanation.real} (does not exist yet)`);
    const inside =
      root === undefined ? this.style('warn', 'no directory of the workspace') : `${root.path} (${nameSource(root)})`;
    this.#row('inside', inside);
    if (reason !== undefined) this.#row('because', reason);
    if (root !== undefined) this.#row('ignored by', describeRule(explanation.ignoredBy));
    const reachable = reason === undefined;
    // In a conversation, the exit code of one command does not matter.
    if (!reachable && !this.session.live) this.host.end(1);
    return {...explanation, reachable, ...(reason !== undefined && {reason})};
  }

  #row(label: string, text: string): void {
    this.log(`  ${this.style('dim', label.padEnd(12))}${text}`);
  }
}

/** Why tools do not reach what a directory of the workspace holds, or undefined. */
async function explainFault({path}: Root): Promise<string | undefined> {
  const fault = await findFault(path);
  return fault && `Of ${path}: ${FAULTS[fault]}.`;
}

function describeRule(rule: IgnoreRule | undefined): string {
  if (rule === undefined) return 'nothing';
  return rule.line === 0 ? `${rule.pattern} (${rule.file})` : `${rule.file}:${rule.line}: ${rule.pattern}`;
}
