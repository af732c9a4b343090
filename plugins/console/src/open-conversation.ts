import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import {Conversation, FormQuestion, openParts, Question} from '@gemini-kernel/plugin-agent/front';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-shell/contract';
import {BottomLine} from './bottom-line.js';
import {Completer} from './completer.js';
import {LiveScreen} from './live-screen.js';
import {PlainScreen} from './plain-screen.js';

/** Prepares a conversation; the terminal and the settings decide how it is shown. */
export async function openConversation(seat: Seat, context: ServiceContext): Promise<Conversation> {
  const parts = await openParts(seat, context);
  const {graphemes, keys, paint, isRaw, isListenedTo, hasColour} = parts;
  const isLive = isRaw && !isListenedTo && context.environment.variables['TERM'] !== 'dumb';
  const screen = isLive ? new LiveScreen(seat.output, graphemes) : new PlainScreen(seat.output, isRaw);
  const look = {
    paint,
    keepsMarks: !hasColour && !isListenedTo,
    saysWords: isListenedTo,
    columns: () => screen.columns,
  };
  const drawn = {...parts, screen, look};
  const asking = {screen, paint, graphemes, keys, inWords: !isLive};
  const hasCommands = context.names('processes').length > 0;
  return new Conversation({
    ...drawn,
    commandKeeper: hasCommands ? () => seat.service('processes') : undefined,
    ruleKeeper: context.names('policy').length > 0 ? () => seat.service('policy') : undefined,
    drawers: {
      bottom: (state) => new BottomLine(drawn, state),
      completing: (completing) => new Completer({...drawn, ...completing}),
      call: (asked, reach) => new Question(asked, asking, reach),
      form: (form) => new FormQuestion(form, asking),
      view: async (what, ends) =>
        (await import('@gemini-kernel/plugin-agent/front/views')).drawPlain(what, ends, drawn),
    },
  });
}
