import type {Todo} from './contract.js';

const SIGNS: Readonly<Record<Todo['status'], string>> = {
  pending: '☐',
  in_progress: '▶',
  completed: '☑',
  cancelled: '☒',
  blocked: '⏸',
};

/** One line for each step, and before them how many are done. */
export function showTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'No steps.';
  const done = todos.filter(({status}) => status === 'completed' || status === 'cancelled').length;
  return [`${done} of ${todos.length} done`, ...todos.map((one) => `${SIGNS[one.status]} ${one.description}`)].join(
    '\n',
  );
}

/** The list as the model reads it. */
export function numberTodos(todos: readonly Todo[]): string {
  return todos.map(({description, status}, index) => `${index + 1}. [${status}] ${description}`).join('\n');
}
