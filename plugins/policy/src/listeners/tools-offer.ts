import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** A tool that rules deny whatever its arguments are need not be known to the model. */
export default listen('tools:offer', {
  async run({tools, value}, {service}) {
    const passable = new Set(await (await service('policy')).passable(tools));
    return value.filter((name) => passable.has(name));
  },
});
