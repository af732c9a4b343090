import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Waiting for a turn may take as long as many workers and few requests a minute make it. */
const LONGEST_MS = 60 * 60_000;

/** Runs that share a limit of requests a minute wait for their turn; one that has used its tokens makes none. */
export default listen('model:request', {
  filter: {present: ['$GEMINI_FLEET_PACE', '$GEMINI_FLEET_TOKENS']},
  phase: 'post',
  critical: true,
  timeoutMs: LONGEST_MS,
  async run({value}, {service, signal}) {
    await (await service('fleet-worker')).turn(signal);
    return value;
  },
});
