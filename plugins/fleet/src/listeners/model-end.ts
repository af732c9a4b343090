import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** A worker knows what its run uses while it runs: a budget holds within a turn. */
export default listen('model:end', {
  filter: {present: ['$GEMINI_FLEET_REPORT']},
  async run({usage}, {service}) {
    if (usage) await (await service('fleet-worker')).used(usage.total);
  },
});
