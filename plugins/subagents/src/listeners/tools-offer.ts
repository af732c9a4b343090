import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {isListed} from '../definition/matches-tool.js';
import {MOST_DEPTH} from '../running/depth.js';
import {DOCS, INVOKE, REMOTE} from '../tool-name.js';

/**
 * An agent is offered the tools of its definition, and neither agents nor the documentation unless that names them. The
 * main agent has an agent for questions about the program.
 */
export default listen('tools:offer', {
  async run({value}, {service, session}) {
    if (session.subagent === undefined) return value.filter((name) => name !== DOCS && !name.startsWith(REMOTE));
    const running = await (await service('running-agents')).of(session.id);
    if (!running || running.isEnding) return [];
    const {tools, depth} = running;
    const mayCall = tools?.includes(INVOKE) === true && depth < MOST_DEPTH;
    return value.filter((name) => {
      if (name === INVOKE) return mayCall;
      if (name.startsWith(REMOTE)) return false;
      if (name === DOCS) return tools?.includes(DOCS) === true;
      return tools === undefined || isListed(tools, name);
    });
  },
});
