import {provide} from '@gemini-kernel/kernel';
import type {CallTimes} from '../call-times.js';

/** When a person answered about calls that have not ended. */
export default provide('call-times', {
  version: '1.0.0',
  scope: 'session',
  methods: ['answered', 'take'],
  create(): CallTimes {
    const answers = new Map<string, number>();
    return {
      async answered(call) {
        answers.set(call, performance.now());
      },
      async take(call) {
        const at = answers.get(call);
        answers.delete(call);
        return at === undefined ? undefined : performance.now() - at;
      },
    };
  },
});
