import type {QueueTask} from '../contract.js';

interface Waiting {
  readonly task: QueueTask;
  readonly order: number;
}

/** Tasks that wait, in the order in which they are given out. */
export class WaitingTasks {
  #sorted: Waiting[] = [];
  /** Added at the end, and not sorted yet. */
  #isSorted = true;

  add(one: Waiting): void {
    const last = this.#sorted.at(-1);
    if (last !== undefined && before(one, last)) this.#isSorted = false;
    this.#sorted.push({task: one.task, order: one.order});
  }

  remove(one: Waiting): void {
    this.#sort();
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(this.#sorted[middle] as Waiting, one)) low = middle + 1;
      else high = middle;
    }
    if (this.#sorted[low]?.task.id === one.task.id) this.#sorted.splice(low, 1);
  }

  /** The first that `isFree` says yes to. */
  find(isFree: (task: QueueTask) => boolean): QueueTask | undefined {
    this.#sort();
    return this.#sorted.find(({task}) => isFree(task))?.task;
  }

  #sort(): void {
    if (this.#isSorted) return;
    this.#sorted.sort((a, b) => (before(a, b) ? -1 : 1));
    this.#isSorted = true;
  }
}

function before(a: Waiting, b: Waiting): boolean {
  const [first, second] = [a.task.priority ?? 0, b.task.priority ?? 0];
  return first === second ? a.order < b.order : first > second;
}
