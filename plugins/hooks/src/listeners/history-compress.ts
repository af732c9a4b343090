import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Runs hooks of PreCompress; the summary is not theirs. */
export default listen('history:compress', {
  timeoutMs: LISTENER_MS,
  async run({isAsked}, {service, signal}) {
    await (await service('hooks')).historyCompress(isAsked, signal);
    return undefined;
  },
});
