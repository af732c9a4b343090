import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** After the first answer of a conversation, what earlier sessions show can be looked for. No start waits for it. */
export default listen('history:change', {
  filter: {live: true},
  async run({change}, {service, session}) {
    if (change.kind === 'settled' && session.subagent === undefined) await (await service('learning')).follow();
  },
});
