import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

export default listen('prompt:end', {
  filter: {live: true},
  async run(ended, {service, session}) {
    await (await service('telemetry')).tell(session, {kind: 'ended', ended});
  },
});
