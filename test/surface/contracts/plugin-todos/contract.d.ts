export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}
export interface Todos {
  list(): Promise<readonly Todo[]>;
  replace(todos: readonly Todo[]): Promise<void>;
}
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'epic' | 'task' | 'bug';
  readonly status: 'open' | 'in_progress' | 'blocked' | 'closed';
  readonly parentId?: string;
  readonly dependencies: readonly string[];
}
export type NewTask = Omit<Task, 'id' | 'status' | 'dependencies'> & Partial<Pick<Task, 'dependencies'>>;
export type TaskChange = Partial<Pick<Task, 'title' | 'description' | 'status' | 'dependencies'>>;
export interface Tracker {
  list(): Promise<readonly Task[]>;
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
