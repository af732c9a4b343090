import type {Graphemes, KeyBindings, Look} from '@gemini-kernel/terminal';
import type {Screen} from '../screen.js';
import type {OpenView, Viewable, ViewEnds} from './open-view.js';
import {PlainList} from './plain-list.js';
import {TextBody} from './text-body.js';

interface DrawerParts {
  readonly screen: Screen;
  readonly look: Look;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
}

/** Shows views in plain lines: a text is printed, a list is numbered. */
export async function drawPlain(what: Viewable, ends: ViewEnds, parts: DrawerParts): Promise<OpenView> {
  if (what.kind === 'list') {
    const list = new PlainList(what, {...parts, ...ends});
    void list.begin();
    return list;
  }
  const {screen, look} = parts;
  const rows = new TextBody(what.texts, parts).rows(Math.max(20, screen.columns - 1));
  screen.prompt(undefined);
  screen.endLine();
  screen.print([look.paint('strong', what.title), ...rows, ''].join('\n'));
  ends.onClose(undefined);
  return {press: () => undefined, note: () => undefined, redraw: () => undefined, close: () => undefined};
}
