import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** A run of `gemini evals ablate` has another instruction, or another section of it. */
export default listen('instruction:compose', {
  filter: {present: ['$GEMINI_EVALS_VARIANT']},
  critical: true,
  async run({value}, {service}) {
    return (await service('eval-variant')).instruction(value);
  },
});
