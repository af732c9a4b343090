import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Adds notices to the report of a headless run. */
export default listen('session:notice', {
  filter: {live: true},
  async run(notice, {session, service}) {
    if (session.interactive) return [];
    return (await (await service('run-notices')).add(notice)) ? ['shown'] : [];
  },
});
