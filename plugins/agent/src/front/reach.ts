import type {Reach} from './drawers.js';
import type {RuleKeeper} from './limit-rules.js';
import type {OutsideEditor} from './external-editor.js';
import type {Viewing} from './views/viewing.js';

/** The editor, the views and the rules, for questions. */
export function reachOf(
  editor: OutsideEditor,
  viewing: Viewing,
  ruleKeeper: (() => Promise<RuleKeeper>) | undefined,
): Pick<Reach, 'edit' | 'read' | 'narrow'> {
  return {
    narrow: ruleKeeper && (async (call, prefixes) => (await ruleKeeper()).narrow(call, prefixes)),
    edit: (given) => editor.editText(given),
    read: async (title, texts) => void (await viewing.show({kind: 'text', title, texts})),
  };
}
