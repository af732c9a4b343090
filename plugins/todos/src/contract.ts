import type {} from '@gemini-kernel/kernel';

/** One step of the model's work. */
export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

/** The steps of a session. They are part of its history, so a continued session has them again. */
export interface Todos {
  list(): Promise<readonly Todo[]>;
  /** Replaces the list. Throws ToolError TODOS_INVALID. */
  replace(todos: readonly Todo[]): Promise<void>;
}

/** One task of the tracker, as its file has it. */
export interface Task {
  /** Six hexadecimal digits. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'epic' | 'task' | 'bug';
  readonly status: 'open' | 'in_progress' | 'blocked' | 'closed';
  /** The task that it is a part of. */
  readonly parentId?: string;
  /** Tasks that are closed before it is. */
  readonly dependencies: readonly string[];
}

export type NewTask = Omit<Task, 'id' | 'status' | 'dependencies'> & Partial<Pick<Task, 'dependencies'>>;
export type TaskChange = Partial<Pick<Task, 'title' | 'description' | 'status' | 'dependencies'>>;

/** The tasks of a session, in files of their own beside it, so a continued session has them again. */
export interface Tracker {
  /** In the order in which they were made. */
  list(): Promise<readonly Task[]>;
  /** Throws ToolError TRACKER_INVALID, as the methods below do. */
  create(task: NewTask): Promise<Task>;
  get(id: string): Promise<Task>;
  update(id: string, change: TaskChange): Promise<Task>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    todos: Todos;
    tracker: Tracker;
  }
}
