import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** The history of the resumed session. */
export default listen('history:load', {
  async run(_, {service, session}) {
    return session.live ? (await service('recording')).load() : undefined;
  },
});
