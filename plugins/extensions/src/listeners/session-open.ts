import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Begins to look for updates. */
export default listen('session:open', {
  filter: {live: true},
  async run(_, {service}) {
    await service('extension-updates');
  },
});
