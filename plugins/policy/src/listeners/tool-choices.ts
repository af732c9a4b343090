import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Says which answers keep an approval, and the rules that each would keep. */
export default listen('tool:choices', {
  async run({call}, {service}) {
    return (await service('policy')).choices(call);
  },
});
