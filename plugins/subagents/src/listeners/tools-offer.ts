import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {isListed} from '../definition/matches-tool.js';
import {MOST_DEPTH} from '../running/depth.js';
import {INVOKE} from '../tool-name.js';

/** An agent is offered the tools of its definition, and no agents unless that names them. */
export default listen('tools:offer', {
  async run({value}, {service, session}) {
    if (session.subagent === undefined) return value;
    const running = await (await service('running-agents')).of(session.id);
    if (!running || running.isEnding) return [];
    const {tools, depth} = running;
    const mayCall = tools?.includes(INVOKE) === true && depth < MOST_DEPTH;
    return value.filter((name) => (name === INVOKE ? mayCall : tools === undefined || isListed(tools, name)));
  },
});
