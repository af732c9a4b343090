import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {describeTask, showTasks} from '../tracker/show-tasks.js';
import {fields} from '../tracker/task-schema.js';

export default defineTool({
  name: 'tracker_create_task',
  description:
    'Makes a task of work that has several parts. An epic is a task with parts; a part names it as parentId. ' +
    'dependencies are ids of tasks that must be closed first.',
  effect: 'think',
  annotations: {readOnlyHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['title', 'description', 'type'],
    additionalProperties: false,
    properties: {
      title: fields.title,
      description: fields.description,
      type: fields.type,
      parentId: fields.parentId,
      dependencies: fields.dependencies,
    },
  },
  async run(task, {service}) {
    const tracker = await service('tracker');
    const made = await tracker.create(task);
    return {
      model: `Created ${describeTask(made).split('\n')[0]}.`,
      display: showTasks(await tracker.list()),
      data: {task: made},
    };
  },
});
