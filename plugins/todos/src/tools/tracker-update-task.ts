import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {describeTask, showTasks} from '../tracker/show-tasks.js';
import {fields} from '../tracker/task-schema.js';

export default defineTool({
  name: 'tracker_update_task',
  description:
    'Changes a task: its status, when you begin, finish or are held up, or its words. A task can be closed when all ' +
    'that it depends on is closed. dependencies replaces the list.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: {
      id: fields.id,
      title: fields.title,
      description: fields.description,
      status: fields.status,
      dependencies: fields.dependencies,
    },
  },
  async run({id, ...change}, {service}) {
    const tracker = await service('tracker');
    const made = await tracker.update(id, change);
    return {
      model: `Now: ${describeTask(made).split('\n')[0]}.`,
      display: showTasks(await tracker.list()),
      data: {task: made},
    };
  },
});
