import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {waitForTurn} from '../work/pace.js';
import {PACE, REPORT, reportTokens} from '../work/worker-report.js';

/** What a run says to the worker that started it, and waits for. */
export default provide('fleet-worker', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  local: true,
  create: ({environment: {variables}}) => ({
    async used(tokens) {
      const file = variables[REPORT];
      if (file !== undefined) await reportTokens(file, tokens);
    },
    async turn(signal) {
      const [, perMinute = '', file = ''] = /^(\d+) (.+)$/s.exec(variables[PACE] ?? '') ?? [];
      if (file !== '' && Number(perMinute) > 0) await waitForTurn(file, Number(perMinute), signal);
    },
  }),
});
