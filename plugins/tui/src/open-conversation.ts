import {basename} from 'node:path';
import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-shell/contract';
import {Conversation, openParts, type ConversationParts} from '@gemini-kernel/plugin-agent/front';
import {startParagraph} from '@gemini-kernel/terminal';
import {Approval} from './dialogs/approval.js';
import {FormDialog} from './dialogs/form-dialog.js';
import {openFooter} from './around/open-footer.js';
import {LiveArea} from './live-area.js';
import {openSigns} from './around/open-signs.js';
import {openScreen} from './open-screen.js';
import {Suggestions} from './suggestions.js';
import {recogniseTerminal} from './terminal-kind.js';
import {TerminalScreen} from './terminal-screen.js';

/** Keys that terminals otherwise send alike, such as Shift+Enter: kitty's protocol, and xterm's. */
const KEYS = {on: '\u001b[>1u\u001b[>4;1m', off: '\u001b[<u\u001b[>4;0m'};

/** Prepares a conversation at a terminal with cursor control. */
export async function openConversation(seat: Seat, context: ServiceContext): Promise<Conversation> {
  const parts = await openParts(seat, context);
  const {graphemes, paint, hasColour, environment} = parts;
  const kind = recogniseTerminal(environment);
  const settings = await context.service('settings');
  const {history, modes, notices} = await openScreen(parts, kind, settings);
  const write = (text: string): unknown => seat.output.write(text);
  const signs = await openSigns({folder: basename(environment.cwd), settings, environment, write});
  const screen = new TerminalScreen(history, graphemes, signs.forget);
  const look = {
    paint,
    keepsMarks: !hasColour,
    saysWords: false,
    columns: () => screen.columns,
    paragraph: startParagraph,
  };
  // Only a colour separates what is offered from what is typed.
  const drawn = {...parts, screen, look, offersEarlier: hasColour, notices: [...parts.notices, ...notices]};
  const footer = await openFooter({...parts, seat, context, onChange: () => screen.draw()});
  let suggestions: Suggestions | undefined;
  return new Conversation({
    ...drawn,
    ...keepersOf(seat, context),
    modes: {on: KEYS.on + signs.modes.on + modes.on, off: modes.off + signs.modes.off + KEYS.off},
    onState: (state) => (state.kind === 'position' ? history.position(state.row) : signs.focus(state.isFocused)),
    drawers: {
      bottom: (state) => {
        if (!suggestions) throw new Error('Completion is prepared before the bottom.');
        return new LiveArea({...drawn, suggestions, footer, signs: signs.all}, state);
      },
      completing: (completing) => {
        suggestions = new Suggestions({...parts, ...completing});
        return suggestions;
      },
      call: (asked, reach) => new Approval(asked, drawn, reach),
      form: (form) => new FormDialog(form, drawn),
      // The drawer of views is loaded when the first one is opened.
      view: async (...shown) => (await import('./views/draw-views.js')).drawView(...shown, {...drawn, ...kind}),
    },
  });
}

/** What runs commands and keeps rules in the conversation's current session. */
function keepersOf({service}: Seat, {names}: ServiceContext): Pick<ConversationParts, 'commandKeeper' | 'ruleKeeper'> {
  return {
    commandKeeper: names('processes').length > 0 ? () => service('processes') : undefined,
    ruleKeeper: names('policy').length > 0 ? () => service('policy') : undefined,
  };
}
