import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Shows a notice on the screen of the conversation, where output on standard error would disturb it. */
export default listen('session:notice', {
  async run(notice, {session, service}) {
    if (!session.interactive) return [];
    return (await (await service('ui:terminal')).show(notice)) ? ['shown'] : [];
  },
});
