import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** A session that goes on has its directories again; what is too old goes. */
export default listen('session:open', {
  filter: {live: true},
  async run(_, {service}) {
    await (await service('recording')).opened();
  },
});
