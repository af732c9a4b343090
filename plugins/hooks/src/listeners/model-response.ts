import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of AfterModel may change each part of an answer, or stop the agent. */
export default listen('model:response', {
  critical: true,
  timeoutMs: LISTENER_MS,
  async run({model, value}, {service, signal}) {
    return (await service('hooks')).modelResponse(model, value, signal);
  },
});
