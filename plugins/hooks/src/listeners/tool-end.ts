import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of AfterTool hear of calls that failed. */
export default listen('tool:end', {
  timeoutMs: LISTENER_MS,
  async run(ended, {service}) {
    await (await service('hooks')).toolEnd(ended);
  },
});
