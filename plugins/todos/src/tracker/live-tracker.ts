import {ToolError} from '@gemini-kernel/kernel';
import type {NewTask, Task, TaskChange, Tracker} from '../contract.js';
import type {KeptTask, TaskFiles} from './task-files.js';

const MOST_TASKS = 500;

interface Parts {
  /** The files of the session's tasks. */
  files(): Promise<TaskFiles>;
  tell(sentence: string): void;
  /** Random text, for ids. */
  newId(): string;
  now(): Date;
}

/** The tasks of one session. Changes follow each other, so that none is lost. */
export class LiveTracker implements Tracker {
  #tasks: Promise<Map<string, KeptTask>> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  async list(): Promise<readonly Task[]> {
    return [...(await this.#read()).values()];
  }

  async get(id: string): Promise<Task> {
    return find(await this.#read(), id);
  }

  create({dependencies = [], ...task}: NewTask): Promise<Task> {
    return this.#change(async (tasks) => {
      if (tasks.size >= MOST_TASKS) throw invalid(`The tracker has ${MOST_TASKS} tasks, which is the most.`);
      const created = this.parts.now().toISOString();
      return {id: this.#freeId(tasks), ...task, status: 'open', dependencies, created};
    });
  }

  update(id: string, change: TaskChange): Promise<Task> {
    return this.#change(async (tasks) => ({...find(tasks, id), ...change}));
  }

  /** Keeps what `make` gives, if it may stand beside the other tasks. */
  #change(make: (tasks: ReadonlyMap<string, KeptTask>) => Promise<KeptTask>): Promise<Task> {
    const turn = this.#last.then(async () => {
      const tasks = await this.#read();
      const task = await make(tasks);
      const kept = {...task, dependencies: [...new Set(task.dependencies)]};
      checkTask(kept, tasks);
      await (await this.parts.files()).write(kept);
      tasks.set(kept.id, kept);
      return kept;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #read(): Promise<Map<string, KeptTask>> {
    this.#tasks ??= this.parts
      .files()
      .then((files) => files.read())
      .then(({tasks, faults}) => {
        for (const fault of faults) this.parts.tell(fault);
        return new Map(tasks.map((task) => [task.id, task]));
      });
    return this.#tasks;
  }

  #freeId(tasks: ReadonlyMap<string, Task>): string {
    for (;;) {
      const id = this.parts
        .newId()
        .replace(/[^0-9a-f]/g, '')
        .slice(-6)
        .padStart(6, '0');
      if (!tasks.has(id)) return id;
    }
  }
}

/** Throws ToolError TRACKER_INVALID. */
function checkTask(task: Task, others: ReadonlyMap<string, Task>): void {
  const {id, title, parentId, dependencies, status} = task;
  if (title.trim() === '') throw invalid('A task needs a title.');
  const all = new Map([...others, [id, task]]);
  for (const other of [...(parentId ? [parentId] : []), ...dependencies]) find(all, other);
  const circle = findCircle(id, (one) => all.get(one)?.dependencies ?? []);
  if (circle) throw invalid(`The tasks would wait for each other: ${circle.join(' -> ')}.`);
  const above = findCircle(id, (one) => [all.get(one)?.parentId ?? []].flat());
  if (above) throw invalid(`The tasks would be parts of each other: ${above.join(' -> ')}.`);
  const open = dependencies.filter((one) => others.get(one)?.status !== 'closed');
  if (status === 'closed' && open.length > 0)
    throw invalid(
      `Task ${id} cannot be closed before ${open.join(', ')}.`,
      'Close those first, or remove them from its dependencies.',
    );
}

/** The way from a task back to itself. */
function findCircle(id: string, next: (id: string) => readonly string[]): readonly string[] | undefined {
  const seen = new Set<string>();
  const walk = (way: readonly string[]): readonly string[] | undefined => {
    for (const one of next(way.at(-1) ?? id)) {
      if (one === id) return [...way, one];
      if (seen.has(one)) continue;
      seen.add(one);
      const found = walk([...way, one]);
      if (found) return found;
    }
    return undefined;
  };
  return walk([id]);
}

function find<T extends Task>(tasks: ReadonlyMap<string, T>, id: string): T {
  const found = tasks.get(id);
  if (found) return found;
  throw invalid(
    `There is no task ${JSON.stringify(id)}.`,
    tasks.size === 0 ? 'There are no tasks yet.' : 'List them with tracker_list_tasks.',
  );
}

function invalid(sentence: string, hint?: string): ToolError {
  return new ToolError('TRACKER_INVALID', sentence, hint === undefined ? {} : {hint});
}
