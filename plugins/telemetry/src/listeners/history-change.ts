import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

export default listen('history:change', {
  filter: {live: true},
  async run({change}, {service, session}) {
    if (change.kind === 'put') await (await service('telemetry')).tell(session, {kind: 'entry', entry: change.entry});
    if (change.kind === 'replace' && change.why === 'compressed')
      await (await service('telemetry')).tell(session, {kind: 'compressed', entries: change.entries.length});
  },
});
