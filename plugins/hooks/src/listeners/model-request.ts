import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of BeforeModel may change a request, answer it, or stop the agent. */
export default listen('model:request', {
  critical: true,
  timeoutMs: LISTENER_MS,
  async run({value}, {service, signal}) {
    return (await service('hooks')).modelRequest(value, signal);
  },
});
