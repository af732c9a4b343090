import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Keeps what a person approved: the rules that the choice showed. */
export default listen('tool:approved', {
  async run({call, remember, choice}, {service}) {
    await (await service('policy')).remember(call, remember, choice.keeps?.rules);
  },
});
