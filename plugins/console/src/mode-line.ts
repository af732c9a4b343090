import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import {safeLine} from './safe-text.js';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface ModeParts {
  readonly seat: Seat;
  readonly screen: Screen;
  readonly speaker: Speaker;
  onChange(): void;
}

const USUAL = 'default';

/** The mode of the conversation, as the bottom of the screen shows it. */
export class ModeLine {
  #mode = USUAL;
  /** It was changed a moment ago: it is shown until the next key, whichever it is. */
  #isNew = false;

  constructor(private readonly parts: ModeParts) {}

  /** What is to be shown: nothing of the usual mode, unless it has just become that. */
  get text(): string | undefined {
    return this.#mode === USUAL && !this.#isNew ? undefined : `mode ${safeLine(this.#mode)}`;
  }

  /** The mode that the conversation is in; nothing is shown yet. */
  set(mode: string): void {
    this.#mode = mode;
  }

  /** Shows the mode that the conversation has changed to. */
  show(mode: string): void {
    this.#mode = mode;
    this.#isNew = true;
    if (this.parts.screen.isLive) this.parts.onChange();
    else this.parts.speaker.print(`Mode: ${safeLine(mode)}.\n`);
  }

  settle(): void {
    this.#isNew = false;
  }

  /** Asks for the next mode; why it cannot be had is said. */
  async next(): Promise<void> {
    const {seat, speaker} = this.parts;
    await seat.conversations.nextMode(seat.conversation).catch((error: unknown) => speaker.complain(error));
  }
}
