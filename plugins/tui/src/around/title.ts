import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {safeLine} from '@gemini-kernel/terminal';
import type {Sign, WaitState} from './sign.js';

interface TitleParts {
  /** The name of the folder, for people with many windows. */
  readonly folder: string;
  write(text: string): unknown;
}

const TEXTS: Readonly<Record<WaitState, string>> = {
  ready: '◇  Ready',
  working: '✦  Working…',
  asking: '✋  Action Required',
};
const LONGEST = 80;

/** Keeps the title of the window, and puts the one before back. */
export const TITLE_MODES = {on: '\u001b[22;2t', off: '\u001b[23;2t'};

/** Prepares the title, unless the person wants the window to keep its own. */
export async function openTitle(parts: TitleParts, settings: Settings): Promise<Title | undefined> {
  return (await settings.get('ui.hideWindowTitle')) === true ? undefined : new Title(parts);
}

/** The title of the window, written when it changes. */
export class Title implements Sign {
  #shown = '';

  constructor(private readonly parts: TitleParts) {}

  show(state: WaitState): void {
    const text = [...`${TEXTS[state]} (${safeLine(this.parts.folder)})`].slice(0, LONGEST).join('');
    if (text === this.#shown) return;
    this.#shown = text;
    this.parts.write(`\u001b]2;${text}\u0007`);
  }

  /** Another program may have set another one. */
  forget(): void {
    this.#shown = '';
  }
}
