import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

export default listen('tool:end', {
  filter: {live: true},
  async run(ended, {service, session}) {
    await (await service('telemetry')).tell(session, {kind: 'call', ended});
  },
});
