import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Has no opinion on the prompt. */
export default listen('prompt:submit', {
  filter: {live: true},
  async run({prompt}, {service, session}) {
    await (await service('telemetry')).tell(session, {kind: 'prompt', prompt});
    return undefined;
  },
});
