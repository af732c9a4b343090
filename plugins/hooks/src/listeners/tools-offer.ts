import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of BeforeToolSelection choose among the tools of a conversation. */
export default listen('tools:offer', {
  filter: {live: true},
  critical: true,
  timeoutMs: LISTENER_MS,
  async run({value}, {service, signal}) {
    return (await service('hooks')).toolsOffer(value, signal);
  },
});
