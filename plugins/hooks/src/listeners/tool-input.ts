import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of BeforeTool see the input that will be judged, and may change it. */
export default listen('tool:input', {
  phase: 'post',
  timeoutMs: LISTENER_MS,
  async run({call, value}, {service, signal}) {
    return (await service('hooks')).toolInput(call, value, signal);
  },
});
