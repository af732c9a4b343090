import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

export default listen('session:close', {
  filter: {live: true},
  async run(_, {service, session}) {
    await (await service('telemetry')).tell(session, {kind: 'closed'});
  },
});
