import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {describeTask} from '../tracker/show-tasks.js';
import {fields} from '../tracker/task-schema.js';

export default defineTool({
  name: 'tracker_get_task',
  description: 'Gives one task with its description.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {type: 'object', required: ['id'], additionalProperties: false, properties: {id: fields.id}},
  async run({id}, {service}) {
    const task = await (await service('tracker')).get(id);
    return {model: describeTask(task), data: {task}};
  },
});
