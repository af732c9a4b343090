import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs hooks of SessionEnd, as far as the end of a session leaves them time. */
export default listen('session:close', {
  filter: {live: true},
  async run(_, {service, signal}) {
    await (await service('hooks')).sessionClose(signal);
  },
});
