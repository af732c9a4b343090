import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** No tool has this name. */
const PROBE = 'hooks probe';

/** What hooks of BeforeTool decided. Their failure refuses the call. */
export default listen('tool:judge', {
  probe: {tool: PROBE},
  timeoutMs: LISTENER_MS,
  async run(call, {service, signal}) {
    if (call.tool === PROBE) return {decision: 'deny', reason: 'The call that proves this guard never runs.'};
    return (await service('hooks')).toolJudge(call, signal);
  },
});
