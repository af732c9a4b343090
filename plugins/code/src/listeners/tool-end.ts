import {listen, type EndedCall} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Touches do not say all that such a call changes. */
const ANYTHING = ['execute', 'delete', 'move', 'other', 'fetch'];

/** A call that changed something makes the index look again. */
export default listen('tool:end', {
  filter: {effect: ['edit', 'delete', 'move', 'execute', 'fetch', 'other']},
  async run({call}: EndedCall, {service}) {
    if (!call) return;
    const index = await service('code-index');
    if (ANYTHING.includes(call.effect)) index.touched();
    for (const {kind, access, value} of call.touches) if (kind === 'path' && access === 'write') index.touched(value);
  },
});
