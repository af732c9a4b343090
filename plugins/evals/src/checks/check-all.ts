import type {CommandHost} from '@gemini-kernel/command';
import {RECORDED, type Eval} from '../format/eval.js';
import type {Conversation} from '../run/conversation.js';
import type {Prepared} from '../run/prepare-project.js';
import {checkAnswer} from './check-answer.js';
import {checkCalls} from './check-calls.js';
import {checkCommand} from './check-command.js';
import {checkFiles} from './check-files.js';
import {checkLimits} from './check-limits.js';
import {askJudge, shownFiles} from './judge.js';

export interface CheckPlace {
  readonly host: Pick<CommandHost, 'run'>;
  readonly signal: AbortSignal;
  readonly given: readonly string[];
  readonly model: string;
  /** Why a judge cannot be relied on; asked once for each evaluation. */
  calibrated(one: Eval): Promise<string | undefined>;
}

/** What the checks found. */
export interface Checked {
  readonly faults: readonly string[];
  /** Why it cannot be said whether the repetition passed. */
  readonly error?: string;
}

/** Holds a repetition against everything that its evaluation expects. */
export async function checkAll(
  one: Eval,
  {made, prepared}: {readonly made: Conversation; readonly prepared: Prepared},
  place: CheckPlace,
): Promise<Checked> {
  if (one.limits.cost !== undefined && made.cost === undefined && made.turns > 0 && place.model !== RECORDED)
    return {faults: [], error: 'limits.cost cannot be checked: the price of the model is not in your model.prices.'};
  const faults = [
    ...checkLimits(one, made),
    ...checkCalls(one.expect, made),
    ...(await checkAnswer(one.expect.answer, made.answer)),
    ...(await checkFiles(one.expect, prepared)),
  ];
  // What is wrong already needs no command and no judge.
  if (faults.length > 0) return {faults};
  const failed = await checkCommand(one.expect.command, prepared, place);
  return failed.length > 0 ? {faults: failed} : judge(one, {made, prepared}, place);
}

/** A recording is judged by the checks alone: a judge would need a model. */
async function judge(
  one: Eval,
  {made, prepared}: {readonly made: Conversation; readonly prepared: Prepared},
  place: CheckPlace,
): Promise<Checked> {
  if (one.judge === undefined || place.model === RECORDED) return {faults: []};
  const error = await place.calibrated(one);
  if (error !== undefined) return {faults: [], error};
  const shown = {answer: made.answer, files: await shownFiles(one.judge, prepared.project)};
  const {pass, reason, fault} = await askJudge(one.judge, shown, {...place, folder: prepared.folder});
  if (fault !== undefined) return {faults: [], error: `The judge ${one.judge.model} gave no verdict: ${fault}`};
  return {faults: pass ? [] : [`The judge ${one.judge.model} says: ${reason ?? ''}`]};
}
