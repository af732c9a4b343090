import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** A run of `gemini evals ablate` tells models of one tool in other words. */
export default listen('model:request', {
  filter: {present: ['$GEMINI_EVALS_VARIANT']},
  phase: 'pre',
  critical: true,
  async run({value}, {service}) {
    const tools = await (await service('eval-variant')).tools(value.request.tools);
    return {...value, request: {...value.request, tools}};
  },
});
