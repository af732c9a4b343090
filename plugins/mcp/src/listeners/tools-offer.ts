import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {FIND_TOOLS} from '../offers/find-tools.js';

/** Where tools of servers are found by a search, the model is given those that it has found. */
export default listen('tools:offer', {
  async run({tools, value}, {service}) {
    if (!value.includes(FIND_TOOLS)) return value;
    const chosen = new Set(await (await service('mcp-choice')).chosen());
    const hidden = new Set(
      tools.filter(({name, server}) => server !== undefined && !chosen.has(name)).map(({name}) => name),
    );
    return value.filter((name) => !hidden.has(name));
  },
});
