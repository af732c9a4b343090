import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** With --fake-responses no model is asked: the recording gives the answer. */
export default listen('model:request', {
  phase: 'post',
  critical: true,
  async run({value}, {service}) {
    const recordings = await service('recordings');
    const {replay} = await recordings.wanted();
    if (!replay) return value;
    // A hook has answered: no model would have been asked.
    if (value.answer) return value;
    const answer = await recordings.next(replay);
    const message =
      `The recording ${replay} has ${await recordings.given(replay)} answers, and one more ` + 'was asked for.';
    return {...value, answer: answer ?? [{kind: 'failed', failure: {kind: 'invalid', message, isFinal: true}}]};
  },
});
