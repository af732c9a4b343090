import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {showTasks} from '../tracker/show-tasks.js';
import {fields} from '../tracker/task-schema.js';

export default defineTool({
  name: 'tracker_list_tasks',
  description: 'Lists the tasks, or those of a status, a type or a parent.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {status: fields.status, type: fields.type, parentId: fields.parentId},
  },
  async run(wanted, {service}) {
    const all = await (await service('tracker')).list();
    const tasks = all.filter(
      ({status, type, parentId}) =>
        (wanted.status ?? status) === status &&
        (wanted.type ?? type) === type &&
        (wanted.parentId === undefined || wanted.parentId === parentId),
    );
    return {model: showTasks(tasks), data: {tasks}};
  },
});
