import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Tells the editor that the commands or tools of a session have changed. */
export default listen('sources:changed', {
  filter: {live: true, present},
  async run({source}, {service, session}) {
    (await (await service('acp-clients')).find(session.id))?.listsChanged(source);
  },
});
