import type {Eval} from './eval.js';

/** What evaluations do without a question besides edits, each once: tools that they allow, and commands of checks. */
export function needsOf(evals: readonly Pick<Eval, 'allow' | 'expect'>[]): readonly string[] {
  const needs = evals.flatMap(({allow, expect: {command}}) => [
    ...allow,
    ...(command === undefined ? [] : [`run_shell_command(${command.run})`]),
  ]);
  return [...new Set(needs)].sort();
}
