import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** With --record-responses everything a model says is kept, before others change it. */
export default listen('model:response', {
  phase: 'pre',
  critical: true,
  async run({model, value}, {service}) {
    await (await service('recordings')).keep(model, value);
    return value;
  },
});
