import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-hooks/contract';
import type {} from '../contract.js';

export default listen('hook:end', {
  filter: {live: true},
  async run(ended, {service, session}) {
    await (await service('telemetry')).tell(session, {kind: 'hook', ended});
  },
});
