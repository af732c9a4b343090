import {isKernelError, isToolError, messageOf, type SentNotice} from '@gemini-kernel/kernel';
import {safeText, type Look, type Style} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';

interface SpeakerParts {
  readonly screen: Screen;
  readonly look: Pick<Look, 'paint' | 'paragraph'>;
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
    const advice = hint === undefined ? '' : this.#paragraphs('dim', hint);
    this.print(this.#paragraphs(style, sentence) + advice);
  }

  /** Lines that a screen may break at words. */
  #paragraphs(style: Style, text: string): string {
    const {paint, paragraph} = this.parts.look;
    return safeText(text)
      .trimEnd()
      .split('\n')
      .map((line) => `${paragraph?.(0) ?? ''}${paint(style, line)}\n`)
      .join('');
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
