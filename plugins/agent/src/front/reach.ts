import type {Reach} from './drawers.js';
import type {OutsideEditor} from './external-editor.js';
import type {Viewing} from './views/viewing.js';

/** The editor and the views, for questions. */
export function reachOf(editor: OutsideEditor, viewing: Viewing): Pick<Reach, 'edit' | 'read'> {
  return {
    edit: (given) => editor.editText(given),
    read: async (title, texts) => void (await viewing.show({kind: 'text', title, texts})),
  };
}
