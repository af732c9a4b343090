import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {editedText} from '../diffs/edited-text.js';
import {present} from '../present.js';

/** Shows a change in the editor while the terminal asks; the first answer counts. */
export default listen('tool:confirm', {
  filter: {live: true, present},
  async run({call, preview}, {service, signal}) {
    if (preview?.kind !== 'diff') return undefined;
    const ide = await service('ide');
    const {canDiff, editor} = await ide.status();
    if (!canDiff) return undefined;
    const {path, after} = preview;
    const name = editor?.info.displayName ?? 'the editor';
    try {
      const shown = await ide.showDiff({call: call.id, path, text: after}, signal);
      const decision = await shown.decided;
      if (decision.decision === 'rejected')
        return {decision: 'no', reason: `The person rejected the change in ${name}.`};
      const text = editedText(after, decision.text);
      return {decision: 'yes', ...(text === undefined ? {} : {text})};
    } catch (error) {
      // The terminal still asks; the reason appears in the trace of the call.
      if (signal.aborted) return undefined;
      throw new Error(`${name} could not show the change: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  },
});
