import type {ToolCall} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {PathSystem} from '../engine/path-pattern.js';
import type {Checker, Decision} from '../rule.js';

/** What a checker says about a call that rules let pass. */
export interface CheckVerdict {
  readonly decision: Decision;
  readonly reason: string;
}

/** What a checker knows. */
export interface CheckContext {
  readonly call: Pick<ToolCall, 'tool' | 'input'>;
  readonly checker: Checker;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** What globs mean here. */
  readonly system: PathSystem;
  /** The real paths of the given ones, relative ones from the first root. */
  realPaths(paths: readonly string[]): Promise<readonly string[]>;
  /** Of this program; a checker that is a program gets the harmless ones. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** A program as it is started where checkers run in the sandbox. */
  confine?(program: Program): Promise<Program | Confined>;
}

export const passed: CheckVerdict = {decision: 'allow', reason: ''};
