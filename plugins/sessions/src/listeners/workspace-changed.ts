import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';

/** Directories that were added belong to the session: it has them again when it goes on. */
export default listen('workspace:changed', {
  filter: {live: true},
  async run(_, {service}) {
    await (await service('recording')).directories();
  },
});
