import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Before each prompt, looks whether skills have changed; `context:skills` then says which there are. */
export default listen('context:collect', {
  async run(_, {service}) {
    await (await service('skills')).refresh();
    return [];
  },
});
