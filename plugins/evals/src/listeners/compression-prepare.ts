import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** A run of `gemini evals ablate` compresses at another size, or with another instruction. */
export default listen('compression:prepare', {
  filter: {present: ['$GEMINI_EVALS_VARIANT']},
  critical: true,
  async run({value}, {service}) {
    return (await service('eval-variant')).compression(value);
  },
});
