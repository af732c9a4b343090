import {makePrivateFolder} from '@gemini-kernel/files';
import {conversationsOf, type Result} from '../results/result.js';
import type {ResultsFile} from '../results/results-file.js';
import type {Arm, ArmTask} from '../run/run-evals.js';
import {keepConversation} from '../run/run-repetition.js';
import {collectResults, type Collected, type Collecting} from './collect-results.js';
import {unpackConversation} from './eval-tasks.js';

export interface CollectingInto extends Omit<Collecting<ArmTask>, 'onResult'> {
  onResult(result: Result, arm: Arm): void;
}

/** Has workers run repetitions, and appends each result as it comes, with its conversation beside the file. */
export async function collectInto(file: ResultsFile, collecting: CollectingInto): Promise<Collected<ArmTask>> {
  const conversations = conversationsOf(file.file);
  await makePrivateFolder(conversations);
  return collectResults({
    ...collecting,
    async onResult(task, {result, conversation}) {
      const events = conversation === undefined ? '' : unpackConversation(conversation);
      // The name is made here: what comes from a queue names no file.
      const kept = events === '' ? '' : await keepConversation(task, events, conversations);
      const line = {...result, conversation: kept};
      await file.append(line);
      collecting.onResult(line, task.arm);
    },
  });
}
