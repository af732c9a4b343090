import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Runs hooks of SessionStart. */
export default listen('session:open', {
  filter: {live: true},
  timeoutMs: LISTENER_MS,
  async run(_, {service, signal}) {
    await (await service('hooks')).sessionOpen(signal);
  },
});
