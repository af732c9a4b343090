import type {ListTasksRequest, ListTasksResponse, ServerCallContext, Task, TaskStore} from '#sdk';
import type {TaskKey, TaskStorage} from '../contract.js';
import type {Sdk} from './setup.js';

const ID = /^[\w-]{1,64}$/;
/** Finished tasks of one caller that are kept. */
const MOST = 500;
const PAGE = 50;

/** A task as it is kept, with what continues its conversation. */
interface Kept {
  readonly task: unknown;
  readonly session?: string;
  /** The server that runs it, or ran it. */
  readonly server?: string;
}

interface Parts {
  readonly sdk: Pick<Sdk, 'TaskState' | 'Task'>;
  readonly storage: TaskStorage;
  /** This server, as the storage knows it. */
  readonly server: string;
}

/** The tasks of all callers. No caller reaches those of another one. */
export class KeptTasks implements TaskStore {
  readonly #sessions = new Map<string, string>();
  /** Open tasks whose first state is kept. */
  readonly #saved = new Set<string>();
  /** The last write of each task that has one under way: the writes of a task follow each other. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(private readonly parts: Parts) {}

  async save(task: Task, context: ServerCallContext): Promise<void> {
    const {sdk, storage, server} = this.parts;
    const key = keyOf(task.id, context);
    const session = this.#sessions.get(task.id) ?? (await this.#read(key))?.session;
    const kept: Kept = {task: sdk.Task.toJSON(task), server, ...(session === undefined ? {} : {session})};
    // Between its first and its last state, a power cut may cost what is kept: the task has failed then in any case.
    const durable = !this.isOpen(task) || !this.#saved.has(task.id);
    if (this.isOpen(task)) this.#saved.add(task.id);
    else this.#saved.delete(task.id);
    await this.#after(task.id, () => storage.put(key, kept, {durable}));
  }

  /** A task that no server runs any more is one that failed: its end is never left open. */
  async load(id: string, context: ServerCallContext): Promise<Task | undefined> {
    const kept = await this.#read(keyOf(id, context));
    return kept && this.#settle(kept);
  }

  /** Whether another server runs the task. */
  async isElsewhere(id: string, context: ServerCallContext): Promise<boolean> {
    const {server} = (await this.#read(keyOf(id, context))) ?? {};
    return server !== undefined && server !== this.parts.server && this.parts.storage.isHeld(server);
  }

  async list(asked: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const all = (await this.#all(context))
      .filter(({contextId}) => asked.contextId === '' || contextId === asked.contextId)
      .filter(({status}) => asked.status === 0 || status?.state === asked.status)
      .sort((a, b) => ((a.status?.timestamp ?? '') < (b.status?.timestamp ?? '') ? 1 : -1));
    const start = /^\d{1,6}$/.test(asked.pageToken) ? Number(asked.pageToken) : 0;
    const pageSize = Math.min(Math.max(asked.pageSize ?? PAGE, 1), 100);
    const page = all.slice(start, start + pageSize);
    const next = start + pageSize < all.length ? String(start + pageSize) : '';
    const tasks = page.map((task) => (asked.includeArtifacts === true ? task : {...task, artifacts: []}));
    return {tasks, nextPageToken: next, pageSize, totalSize: all.length};
  }

  /** The recorded session that the newest task of a context worked in. */
  async sessionOf(contextId: string, context: ServerCallContext): Promise<string | undefined> {
    const own = (await this.#all(context)).filter((task) => task.contextId === contextId);
    const newest = own.sort((a, b) => ((a.status?.timestamp ?? '') < (b.status?.timestamp ?? '') ? 1 : -1));
    for (const {id} of newest) {
      const session = this.#sessions.get(id) ?? (await this.#read(keyOf(id, context)))?.session;
      if (session !== undefined) return session;
    }
    return undefined;
  }

  /** Notes the session of a task; it is kept with the next change of the task. */
  noteSession(task: string, session: string): void {
    this.#sessions.set(task, session);
  }

  /** Removes the oldest finished tasks of a caller, past a number. */
  async prune(context: ServerCallContext): Promise<void> {
    if ((await this.#ids(context)).length <= MOST) return;
    const ended = (await this.#all(context)).filter((task) => !this.isOpen(task));
    ended.sort((a, b) => ((a.status?.timestamp ?? '') < (b.status?.timestamp ?? '') ? 1 : -1));
    for (const {id} of ended.slice(MOST))
      for (const kind of ['task', 'receivers'] as const) await this.parts.storage.remove({...keyOf(id, context), kind});
  }

  async #after(task: string, act: () => Promise<void>): Promise<void> {
    const write = (this.#writes.get(task) ?? Promise.resolve()).then(act, act);
    this.#writes.set(task, write);
    try {
      await write;
    } finally {
      if (this.#writes.get(task) === write) this.#writes.delete(task);
    }
  }

  async #settle({task: kept, server = ''}: Kept): Promise<Task> {
    const task = this.parts.sdk.Task.fromJSON(kept);
    const runs = async (): Promise<boolean> => server !== '' && this.parts.storage.isHeld(server);
    if (server === this.parts.server || !this.isOpen(task) || (await runs())) return task;
    const state = this.parts.sdk.TaskState.TASK_STATE_FAILED;
    const status = {timestamp: undefined, ...task.status, state, message: undefined};
    return {...task, status, metadata: {...task.metadata, reason: 'The server ended while this task ran.'}};
  }

  /** Whether a task has not ended. */
  isOpen({status}: Task): boolean {
    const {TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED} = this.parts.sdk.TaskState;
    return [TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED].some((one) => one === status?.state);
  }

  async #all(context: ServerCallContext): Promise<Task[]> {
    const ids = await this.#ids(context);
    const tasks = await Promise.all(ids.map((id) => this.load(id, context)));
    return tasks.filter((task) => task !== undefined);
  }

  async #ids(context: ServerCallContext): Promise<readonly string[]> {
    return this.parts.storage.ids(ownerOf(context));
  }

  async #read(key: TaskKey): Promise<Kept | undefined> {
    return ID.test(key.id) ? ((await this.parts.storage.get(key)) as Kept | undefined) : undefined;
  }
}

/** Where a task of a caller is kept. */
export function keyOf(id: string, context: ServerCallContext): TaskKey {
  return {owner: ownerOf(context), kind: 'task', id};
}

/** The id of the grant of a caller: letters and digits. */
function ownerOf({user}: ServerCallContext): string {
  const name = user?.userName ?? '';
  if (!/^[a-z0-9]{8}$/.test(name)) throw new TypeError('A task belongs to no caller.');
  return name;
}
