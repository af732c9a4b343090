import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {numberTodos, showTodos} from '../show-todos.js';
import {WRITE_TODOS} from '../tool-name.js';

export default defineTool({
  name: WRITE_TODOS,
  description:
    'Writes the whole list of steps of a task that has several, and shows it to the user. Call it again whenever a ' +
    'step begins or ends. At most one step is in_progress. Do not use it for a task of one or two steps.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['todos'],
    additionalProperties: false,
    properties: {
      todos: {
        type: 'array',
        maxItems: 100,
        description: 'All steps in order. An empty list removes it.',
        items: {
          type: 'object',
          required: ['description', 'status'],
          additionalProperties: false,
          properties: {
            description: {type: 'string', minLength: 1, maxLength: 500},
            status: {type: 'string', enum: ['pending', 'in_progress', 'completed', 'cancelled', 'blocked']},
          },
        },
      },
    },
  },
  async run({todos}, {service}) {
    const list = await service('todos');
    await list.replace(todos);
    const now = await list.list();
    return {
      model: now.length === 0 ? 'The list of steps is empty now.' : `The steps are now:\n${numberTodos(now)}`,
      display: showTodos(now),
      data: {todos: now},
    };
  },
});
