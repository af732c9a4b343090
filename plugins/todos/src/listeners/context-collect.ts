import {listen} from '@gemini-kernel/kernel';
import type {ContextSection} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../contract.js';
import {numberTodos} from '../show-todos.js';
import {isTracked} from '../tracker/is-tracked.js';
import {showTasks} from '../tracker/show-tasks.js';

/** A continued session begins with the work that was left. */
export default listen('context:collect', {
  async run({isFirst}, {service}) {
    if (!isFirst) return [];
    if (await isTracked(await service('settings'))) {
      const tasks = await (await service('tracker')).list();
      const isLeft = tasks.some(({status}) => status !== 'closed');
      return isLeft ? [sectionOf('Tasks', `Tasks of your work until now:\n${showTasks(tasks)}`)] : [];
    }
    const todos = await (await service('todos')).list();
    const isLeft = todos.some(({status}) => status !== 'completed' && status !== 'cancelled');
    return isLeft ? [sectionOf('Steps', `Steps of your work until now:\n${numberTodos(todos)}`)] : [];
  },
});

function sectionOf(title: string, text: string): ContextSection {
  return {place: 'start', title, text};
}
