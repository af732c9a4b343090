export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}
export interface Todos {
  list(): Promise<readonly Todo[]>;
  replace(todos: readonly Todo[]): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    todos: Todos;
  }
}
