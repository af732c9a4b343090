import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {ASK_USER} from '../tool-name.js';

/** Where questions cannot be answered, the model need not know that it could ask. A broken file ends the run. */
export default listen('tools:offer', {
  critical: true,
  async run({value}, {service}) {
    if (!value.includes(ASK_USER) || (await (await service('questions')).canAnswer())) return value;
    return value.filter((name) => name !== ASK_USER);
  },
});
