import type {QueueTask} from '../contract.js';
import {changedTask, type Entry} from './tasks.js';

interface SortedPut {
  readonly fresh: readonly QueueTask[];
  /** Known ones that change. */
  readonly changed: readonly QueueTask[];
}

/** What comes of tasks that are put. One that comes twice is one task. */
export function sortPut(known: {get(id: string): Entry | undefined}, tasks: readonly QueueTask[]): SortedPut {
  const unique = [...new Map(tasks.map((task) => [task.id, task])).values()];
  return {
    fresh: unique.filter(({id}) => !known.get(id)),
    changed: unique.flatMap((task) => {
      const entry = known.get(task.id);
      return entry ? (changedTask(entry, task) ?? []) : [];
    }),
  };
}
