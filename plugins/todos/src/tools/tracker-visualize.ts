import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {showTasks} from '../tracker/show-tasks.js';

export default defineTool({
  name: 'tracker_visualize',
  description: 'Shows all tasks as a tree, to you and to the user.',
  effect: 'think',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {type: 'object', additionalProperties: false, properties: {}},
  async run(_, {service}) {
    const tasks = await (await service('tracker')).list();
    return {model: showTasks(tasks), display: showTasks(tasks), data: {tasks}};
  },
});
