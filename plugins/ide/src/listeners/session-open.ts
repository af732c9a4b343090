import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Connects to the editor while the person writes the first prompt. */
export default listen('session:open', {
  filter: {live: true, present},
  async run(_, {service}) {
    await service('editor-context');
  },
});
