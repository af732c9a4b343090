import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of AfterAgent are for the main agent; they may ask for one more round. */
export default listen('turn:end', {
  timeoutMs: LISTENER_MS,
  async run(turn, {service, session, signal}) {
    if (session.subagent !== undefined) return undefined;
    return (await service('hooks')).turnEnd(turn, signal);
  },
});
