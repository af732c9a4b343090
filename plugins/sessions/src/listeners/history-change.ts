import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Records every change as it happens. */
export default listen('history:change', {
  async run({change}, {service, session}) {
    if (session.live) await (await service('recording')).change(change);
  },
});
