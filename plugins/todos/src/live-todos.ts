import {ToolError} from '@gemini-kernel/kernel';
import type {Agent} from '@gemini-kernel/plugin-agent/contract';
import type {Todo, Todos} from './contract.js';
import {WRITE_TODOS} from './tool-name.js';

/** The list of one session, at first as its history has it. */
export class LiveTodos implements Todos {
  #todos: readonly Todo[] | undefined;

  constructor(private readonly agent: () => Promise<Pick<Agent, 'history'>>) {}

  async list(): Promise<readonly Todo[]> {
    return (this.#todos ??= findLast(await (await this.agent()).history()));
  }

  async replace(todos: readonly Todo[]): Promise<void> {
    const empty = todos.findIndex(({description}) => description.trim() === '');
    if (empty >= 0)
      throw new ToolError('TODOS_INVALID', `Step ${empty + 1} has no description.`, {hint: 'Describe each step.'});
    const running = todos.filter(({status}) => status === 'in_progress').length;
    if (running > 1)
      throw new ToolError('TODOS_INVALID', `${running} steps are in progress.`, {
        hint: 'At most one step can be in progress.',
      });
    this.#todos = todos.map(({description, status}) => ({
      description: description.replace(/\s+/g, ' ').trim(),
      status,
    }));
  }
}

/** The list of the last call that was carried out. */
function findLast(entries: Awaited<ReturnType<Agent['history']>>): readonly Todo[] {
  for (const {calls = []} of [...entries].reverse())
    for (const {name, status, input} of [...calls].reverse())
      if (name === WRITE_TODOS && status === 'done') return todosOf(input);
  return [];
}

/** A history may come from another program. */
function todosOf(input: unknown): readonly Todo[] {
  const list = (input as {readonly todos?: unknown} | undefined)?.todos;
  return Array.isArray(list) ? list.filter(isTodo) : [];
}

function isTodo(value: unknown): value is Todo {
  if (typeof value !== 'object' || value === null) return false;
  const {description, status} = value as Readonly<Record<string, unknown>>;
  const isKnown = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'].includes(String(status));
  return typeof description === 'string' && isKnown;
}
