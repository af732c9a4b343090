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

declare module '@gemini-kernel/kernel' {
  interface Services {
    todos: Todos;
  }
}
