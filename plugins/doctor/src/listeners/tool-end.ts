import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

export default listen('tool:end', {
  async run(call, {service}) {
    await (await service('journal')).record(call);
  },
});
