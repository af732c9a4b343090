import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of AfterTool see a result without secrets, and may replace it or add to it. */
export default listen('tool:result', {
  phase: 'post',
  after: ['@gemini-kernel/plugin-secrets'],
  critical: true,
  timeoutMs: LISTENER_MS,
  async run({call, value}, {service, signal}) {
    return (await service('hooks')).toolResult(call, value, signal);
  },
});
