import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Masks old tool output, and shortens what is too large. */
export default listen('history:fit', {
  async run(history, {service}) {
    return (await service('history-graph')).fit(history);
  },
});
