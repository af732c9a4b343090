import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Restores the directories of a resumed session, and deletes old sessions. */
export default listen('session:open', {
  filter: {live: true},
  async run(_, {service}) {
    await (await service('recording')).opened();
  },
});
