import type {Todo} from '@gemini-kernel/plugin-todos/contract';
import type {PlanEntry} from '#sdk';

const STATUS: Readonly<Record<Todo['status'], PlanEntry['status']>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  // The protocol has no word for these: a cancelled step is over, a blocked one waits.
  cancelled: 'completed',
  blocked: 'pending',
};

/** The steps of the model as the plan of the protocol. */
export function toPlan(todos: readonly Todo[]): PlanEntry[] {
  return todos.map(({description, status}) => ({
    content: status === 'cancelled' || status === 'blocked' ? `${description} (${status})` : description,
    status: STATUS[status],
    priority: 'medium',
  }));
}
