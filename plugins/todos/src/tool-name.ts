export const WRITE_TODOS = 'write_todos';
