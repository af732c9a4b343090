import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Before each prompt of the main agent, looks for changes; `context:subagents` says which agents there are. */
export default listen('context:collect', {
  async run(_, {service, session}) {
    if (session.subagent === undefined) await (await service('subagents')).refresh();
    return [];
  },
});
