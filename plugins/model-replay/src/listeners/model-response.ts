import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** With --record-responses, saves everything a model sends, before other listeners change it. */
export default listen('model:response', {
  phase: 'pre',
  critical: true,
  async run({model, value}, {service}) {
    await (await service('recordings')).keep(model, value);
    return value;
  },
});
