import {isKernelError, isToolError, messageOf, type SentNotice} from '@gemini-kernel/kernel';
import {safeText, type Paint, type Style} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';

interface SpeakerParts {
  readonly screen: Screen;
  readonly paint: Paint;
  /** Called after printing: the bottom of the screen must be drawn again. */
  onPrinted(): void;
}

/** Prints the console's own messages on separate lines. */
export class Speaker {
  constructor(private readonly parts: SpeakerParts) {}

  /** Prints whole lines of safe text. */
  print(text: string): void {
    const {screen, onPrinted} = this.parts;
    screen.endLine();
    screen.print(text);
    onPrinted();
  }

  /** Prints a sentence and a hint. */
  say(style: Style, sentence: string, hint?: string): void {
    const {paint} = this.parts;
    const advice = hint === undefined ? '' : `${paint('dim', safeText(hint).trimEnd())}\n`;
    this.print(`${paint(style, safeText(sentence).trimEnd())}\n${advice}`);
  }

  /** Prints a notice of a plugin. */
  notify({level, sentence}: Pick<SentNotice, 'level' | 'sentence'>): void {
    this.say(({info: 'dim', warning: 'warn', error: 'bad'} as const)[level], sentence);
  }

  /** Prints an error. */
  complain(error: unknown): void {
    this.say('bad', messageOf(error), isKernelError(error) || isToolError(error) ? error.hint : undefined);
  }
}
