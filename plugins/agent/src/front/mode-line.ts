import type {Seat} from '../contract.js';
import {safeLine} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface ModeParts {
  readonly seat: Seat;
  readonly screen: Screen;
  readonly speaker: Speaker;
  onChange(): void;
}

const USUAL = 'default';

/** The mode of the conversation, for the bottom of the screen. */
export class ModeLine {
  #mode = USUAL;
  /** It changed a moment ago: it is shown until the next key. */
  #isNew = false;

  constructor(private readonly parts: ModeParts) {}

  /** The displayed text: nothing for the default mode, unless it was just set. */
  get text(): string | undefined {
    return this.#mode === USUAL && !this.#isNew ? undefined : `mode ${safeLine(this.#mode)}`;
  }

  /** Sets the current mode; nothing is shown yet. */
  set(mode: string): void {
    this.#mode = mode;
  }

  /** Shows a changed mode. */
  show(mode: string): void {
    this.#mode = mode;
    this.#isNew = true;
    if (this.parts.screen.isLive) this.parts.onChange();
    else this.parts.speaker.print(`Mode: ${safeLine(mode)}.\n`);
  }

  settle(): void {
    this.#isNew = false;
  }

  /** Requests the next mode; reports why it is refused. */
  async next(): Promise<void> {
    const {seat, speaker} = this.parts;
    await seat.conversations.nextMode(seat.conversation).catch((error: unknown) => speaker.complain(error));
  }
}
