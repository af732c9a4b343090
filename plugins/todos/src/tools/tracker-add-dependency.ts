import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {describeTask, showTasks} from '../tracker/show-tasks.js';
import {fields} from '../tracker/task-schema.js';

export default defineTool({
  name: 'tracker_add_dependency',
  description: 'Makes a task wait for another one, which must be closed first.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['taskId', 'dependencyId'],
    additionalProperties: false,
    properties: {taskId: fields.id, dependencyId: fields.dependencyId},
  },
  async run({taskId, dependencyId}, {service}) {
    const tracker = await service('tracker');
    const {dependencies} = await tracker.get(taskId);
    const made = await tracker.update(taskId, {dependencies: [...dependencies, dependencyId]});
    return {
      model: `Now: ${describeTask(made).split('\n')[0]}, after ${made.dependencies.join(', ')}.`,
      display: showTasks(await tracker.list()),
      data: {task: made},
    };
  },
});
