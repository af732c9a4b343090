import {listen} from '@gemini-kernel/kernel';
import type {ContextSection} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {numberTodos} from '../show-todos.js';

/** A continued session begins with the steps that were left. */
export default listen('context:collect', {
  async run({isFirst}, {service}) {
    if (!isFirst) return [];
    const todos = await (await service('todos')).list();
    const isLeft = todos.some(({status}) => status !== 'completed' && status !== 'cancelled');
    const section: ContextSection = {
      place: 'start',
      title: 'Steps',
      text: `Steps of your work until now:\n${numberTodos(todos)}`,
    };
    return isLeft ? [section] : [];
  },
});
