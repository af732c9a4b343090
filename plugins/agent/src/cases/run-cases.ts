import type {Case} from './read-cases.js';
import {runCase, type CaseResult, type CaseRun} from './run-case.js';

/** How the cases of one thing ended. */
export interface Tested {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly CaseResult[];
}

interface CasesRun extends Omit<CaseRun, 'words' | 'temporary' | 'deadline'> {
  /** Of the thing that is tested. */
  readonly name: string;
  readonly environment: {readonly temporary: string};
  /** Seconds. */
  readonly deadline: number;
  wordsOf(one: Case): readonly string[];
  /** Called for each as it ends. */
  onResult(result: CaseResult): void;
}

/** Runs cases one after the other. */
export async function runCases(
  all: readonly Case[],
  {name, environment, deadline, wordsOf, onResult, ...run}: CasesRun,
): Promise<Tested> {
  const cases: CaseResult[] = [];
  for (const one of all) {
    const own = {temporary: environment.temporary, deadline: deadline * 1000, words: wordsOf(one)};
    const result = await runCase(one, {...run, ...own});
    cases.push(result);
    onResult(result);
  }
  const passed = cases.filter((one) => one.passed).length;
  return {name, passed, failed: cases.length - passed, cases};
}

/** A result as lines. `style` is that of a command. */
export function describeResult(
  {name, passed, faults}: CaseResult,
  style: (kind: 'good' | 'bad', text: string) => string,
): string {
  const mark = passed ? style('good', '✓') : style('bad', '✗');
  return [`${mark} ${name}`, ...faults.map((fault) => `  ${fault}`)].join('\n');
}
