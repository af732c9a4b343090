import {KernelError, provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {waitForTurn} from '../work/pace.js';
import {PACE, REPORT, reportTokens, TOKENS} from '../work/worker-report.js';

/** What a run says to the worker that started it, and waits for. */
export default provide('fleet-worker', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  local: true,
  create({environment: {variables}}) {
    let sum = 0;
    return {
      async used(tokens) {
        sum += tokens;
        const file = variables[REPORT];
        if (file !== undefined) await reportTokens(file, tokens);
      },
      async turn(signal) {
        const most = Number(variables[TOKENS] ?? Infinity);
        if (sum >= most)
          throw new KernelError(
            'FLEET_TOKENS_EXHAUSTED',
            `The run has used ${sum} of the ${most} tokens that it was given.`,
          );
        const [, perMinute = '', file = ''] = /^(\d+) (.+)$/s.exec(variables[PACE] ?? '') ?? [];
        if (file !== '' && Number(perMinute) > 0) await waitForTurn(file, Number(perMinute), signal);
      },
    };
  },
});
