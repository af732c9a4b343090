import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';

/** Records added directories with the session, so that they are restored when it is resumed. */
export default listen('workspace:changed', {
  filter: {live: true},
  async run(_, {service}) {
    await (await service('recording')).directories();
  },
});
