import {isKernelError, isToolError, messageOf, type SentNotice} from '@gemini-kernel/kernel';
import {safeText} from './safe-text.js';
import type {Screen} from './screen.js';
import type {Paint, Style} from './style.js';

interface SpeakerParts {
  readonly screen: Screen;
  readonly paint: Paint;
  /** Something was printed: the bottom of the screen is to be shown again. */
  onPrinted(): void;
}

/** Says what the console itself has to say, on lines of its own. */
export class Speaker {
  constructor(private readonly parts: SpeakerParts) {}

  /** Prints whole lines that are safe to show. */
  print(text: string): void {
    const {screen, onPrinted} = this.parts;
    screen.endLine();
    screen.print(text);
    onPrinted();
  }

  /** Says a sentence and what to do next. */
  say(style: Style, sentence: string, hint?: string): void {
    const {paint} = this.parts;
    const advice = hint === undefined ? '' : `${paint('dim', safeText(hint).trimEnd())}\n`;
    this.print(`${paint(style, safeText(sentence).trimEnd())}\n${advice}`);
  }

  /** Says what a plugin wants the person to know. */
  notify({level, sentence}: Pick<SentNotice, 'level' | 'sentence'>): void {
    this.say(({info: 'dim', warning: 'warn', error: 'bad'} as const)[level], sentence);
  }

  /** Says what went wrong. */
  complain(error: unknown): void {
    this.say('bad', messageOf(error), isKernelError(error) || isToolError(error) ? error.hint : undefined);
  }
}
