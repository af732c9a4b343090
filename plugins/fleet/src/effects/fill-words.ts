import {isKernelError} from '@gemini-kernel/kernel';
import type {QueueItem} from '../contract.js';
import {fillTemplate} from '../plan/fill-template.js';
import type {Row} from '../plan/plan.js';
import {madeOf, taskOf} from '../results/result.js';

/** What effects can be filled with: the row, and what came of the task. */
export function valuesOf(item: QueueItem): Row {
  const {row, repository = '', commit: base = ''} = taskOf(item);
  const {branch = '', commit = '', answer = ''} = madeOf(item);
  return {...row, repository, base, branch, commit, answer, id: item.task.id};
}

/** Words with their values, or why they are not run. A value becomes no option of a program. */
export function fillWords(words: readonly string[], values: Row): readonly string[] | string {
  try {
    const filled = words.map((word) => fillTemplate(word, values, 'an effect'));
    const forged = filled.find((word, index) => word.startsWith('-') && !words[index]?.startsWith('-'));
    return forged === undefined ? filled : `A value begins with "-", which a program takes for an option.`;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return error.message;
  }
}
