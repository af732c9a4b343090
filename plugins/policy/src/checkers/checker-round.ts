import type {ToolCall, Verdict} from '@gemini-kernel/kernel';
import {compileTest} from '../engine/compile-rule.js';
import {subjectsOf, type Circumstances} from '../engine/judge-part.js';
import {situationOf} from '../engine/selection.js';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Checker} from '../rule.js';
import type {CheckerProgram} from './external.js';
import {runCheckers, type CompiledChecker} from './run-checkers.js';
import type {CheckContext, CheckVerdict} from './verdict.js';

interface World extends Pick<CheckContext, 'cwd' | 'realPaths' | 'signal' | 'system' | 'variables' | 'confine'> {
  readonly platform: NodeJS.Platform;
}

/** The safety checkers of a session, made ready. */
export class CheckerRound {
  readonly #checkers: readonly CompiledChecker[];
  #processes: ProcessGroups | undefined;

  constructor(
    checkers: readonly Checker[],
    private readonly programs: Readonly<Record<string, CheckerProgram>> | undefined,
    private readonly world: World,
  ) {
    this.#checkers = [...checkers]
      .sort((a, b) => b.priority - a.priority)
      .map((checker) => ({checker, test: compileTest(checker, world.system)}));
  }

  /** What they object to in a call; undefined when nothing. */
  async run(call: ToolCall, circumstances: Circumstances): Promise<Verdict | undefined> {
    if (this.#checkers.length === 0) return undefined;
    const about = {situation: situationOf(call, circumstances), subjects: subjectsOf(call, circumstances)};
    const {decision, reason, checker} = await runCheckers(
      this.#checkers,
      about,
      {...this.world, call, roots: circumstances.roots},
      (context) => this.#ask(context),
    );
    return decision === 'allow'
      ? undefined
      : {decision, reason: `${reason} (checker ${checker?.name ?? ''}, ${checker?.source.label ?? ''})`};
  }

  /** Ends the programs that checkers are, and what they left behind. */
  close(): void {
    this.#processes?.close();
  }

  async #ask(context: CheckContext): Promise<CheckVerdict> {
    const [{askProgram}, {ProcessGroups}] = await Promise.all([
      import('./external.js'),
      import('@gemini-kernel/processes'),
    ]);
    this.#processes ??= new ProcessGroups(this.world.platform);
    const {programs = {}} = this;
    const {name} = context.checker;
    return askProgram(context, Object.hasOwn(programs, name) ? programs[name] : undefined, this.#processes);
  }
}
