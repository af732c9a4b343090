import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Counts the lines that an edit reports, and changes nothing. */
export default listen('tool:result', {
  phase: 'post',
  filter: {live: true, effect: 'edit'},
  async run({call, value}, {service, session}) {
    const {linesAdded: added = 0, linesRemoved: removed = 0} = (value.data ?? {}) as {
      readonly linesAdded?: number;
      readonly linesRemoved?: number;
    };
    if (added + removed > 0)
      await (await service('telemetry')).tell(session, {kind: 'lines', tool: call.tool, added, removed});
    return value;
  },
});
