import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {editedText} from '../diffs/edited-text.js';
import {present} from '../present.js';

/** Approval in the terminal applies to the current text in the editor. */
export default listen('tool:confirmed', {
  filter: {live: true, present},
  async run({call, preview, value}, {service}) {
    if (preview?.kind !== 'diff') return value;
    const {text: left} = await (await service('ide')).takeText(call.id);
    const text = left === undefined ? undefined : editedText(preview.after, left);
    const isOpen = value.decision === 'yes' && value.text === undefined && value.input === undefined;
    return isOpen && text !== undefined ? {...value, text} : value;
  },
});
