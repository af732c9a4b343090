import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '../contract.js';
import {present} from '../present.js';

/** How long to wait for an editor's view of a folder; a later answer counts from then on. */
const PATIENCE_MS = 1500;

/** A folder that the editor does not trust is not trusted here either. The editor cannot make a folder trusted. */
export default listen('trust:doubt', {
  filter: {present},
  async run(_, {service, signal}) {
    const ide = await service('ide');
    const {isTrusted, editor} = await ide.connect({
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    return isTrusted === false
      ? {decision: 'deny', reason: `${editor?.info.displayName ?? 'The editor'} does not trust this folder.`}
      : undefined;
  },
});
