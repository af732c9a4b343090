import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {FrontParts} from '@gemini-kernel/plugin-agent/front';
import type {TerminalModes} from '@gemini-kernel/terminal';
import type {HistoryScreen} from './screen/history-screen.js';
import {InlineScreen} from './screen/inline-screen.js';
import type {TerminalKind} from './terminal-kind.js';

/** The wheel of the mouse sends reports that are read as keys. */
const WHEEL: TerminalModes = {on: '\u001b[?1000h\u001b[?1006h', off: '\u001b[?1006l\u001b[?1000l'};
const NONE: TerminalModes = {on: '', off: ''};

export interface OpenedScreen {
  readonly history: HistoryScreen;
  /** What it switches on in the terminal, and off again. */
  readonly modes: TerminalModes;
  /** What is to be said at the start. */
  readonly notices: readonly string[];
}

/** The screen that the settings ask for: history in the scrollback of the terminal, or in the whole window. */
export async function openScreen(
  {seat, graphemes, keys, paint, now}: Pick<FrontParts, 'seat' | 'graphemes' | 'keys' | 'paint' | 'now'>,
  kind: TerminalKind,
  settings: Settings,
): Promise<OpenedScreen> {
  const parts = {output: seat.output, graphemes, now};
  const inline = (notices: readonly string[] = []): OpenedScreen => ({
    history: new InlineScreen({...parts, ...kind}),
    modes: NONE,
    notices,
  });
  if ((await settings.get('ui.useAlternateBuffer')) !== true) return inline();
  if (!kind.hasAlternate)
    return inline(['This terminal has no second screen, so ui.useAlternateBuffer has no effect.']);
  const {WindowScreen} = await import('./screen/window-screen.js');
  const history = new WindowScreen({...parts, keys, paint});
  for (const line of seat.said ?? []) history.recall(`${line}\n`);
  return {history, modes: (await settings.get('ui.mouseWheel')) === true ? WHEEL : NONE, notices: []};
}
