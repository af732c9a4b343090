import {listen, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Shows at the editor that a call runs, and what it changed. */
export default listen('tool:run', {
  filter: {live: true, present},
  phase: 'pre',
  async run(call, {next, service, session}) {
    const shown = await (await (await service('acp-clients')).find(session.id))?.run(call);
    let result: ToolResult | undefined;
    try {
      return (result = await next());
    } finally {
      await shown?.end(result);
    }
  },
});
