import {isToolError, listen, type Verdict} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Denies a call that touches a path outside every root; has no opinion about other calls. */
export default listen('tool:judge', {
  filter: {path: '**'},
  probe: {
    tool: 'read_file',
    touches: [{kind: 'path', value: '/outside-of-every-workspace/guard-probe', access: 'read'}],
  },
  async run({touches}, {service}): Promise<Verdict | undefined> {
    const workspace = await service('workspace');
    for (const {kind, value, access} of touches) {
      if (kind !== 'path') continue;
      try {
        await workspace.resolve(value, {access: access === 'read' ? 'read' : 'write'});
      } catch (error) {
        if (!isToolError(error)) throw error;
        return {decision: 'deny', reason: error.hint === undefined ? error.message : `${error.message} ${error.hint}`};
      }
    }
    return undefined;
  },
});
