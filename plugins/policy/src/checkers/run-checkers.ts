import {matchTest, type Subject, type Test} from '../engine/compile-rule.js';
import {isAbout, type Situation} from '../engine/selection.js';
import {strictness} from '../engine/walk.js';
import type {Checker} from '../rule.js';
import {checkPaths} from './allowed-path.js';
import {passed, type CheckContext, type CheckVerdict} from './verdict.js';

export interface CompiledChecker {
  readonly checker: Checker;
  readonly test: Test;
}

type Ask = (context: CheckContext) => Promise<CheckVerdict>;

/**
 * The strictest of what the checkers of a call say, the first deny at once; `ask` asks those that are programs.
 */
export async function runCheckers(
  checkers: readonly CompiledChecker[],
  {situation, subjects}: {readonly situation: Situation; readonly subjects: readonly Subject[]},
  context: Omit<CheckContext, 'checker'>,
  ask: Ask,
): Promise<CheckVerdict & {readonly checker?: Checker}> {
  let strictest: CheckVerdict & {readonly checker?: Checker} = passed;
  for (const {checker, test} of checkers) {
    if (!isAbout(checker, situation) || !subjects.some((subject) => matchTest(test, subject, false) !== 'no')) continue;
    const verdict = await runChecker({...context, checker}, ask);
    if (strictness[verdict.decision] > strictness[strictest.decision]) strictest = {...verdict, checker};
    if (verdict.decision === 'deny') break;
  }
  return strictest;
}

async function runChecker(context: CheckContext, ask: Ask): Promise<CheckVerdict> {
  const {type, name} = context.checker;
  if (type === 'external') return ask(context);
  if (name === 'allowed-path') return checkPaths(context);
  return {decision: 'deny', reason: `There is no checker ${name} in this version.`};
}
