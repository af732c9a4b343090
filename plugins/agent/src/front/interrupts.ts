import type {LineInput} from '@gemini-kernel/terminal';
import type {Asker} from './asker.js';
import type {Speaker} from './speaker.js';
import type {Work} from './work.js';

/** Two presses of Ctrl+C within this time leave. */
const TWICE_MS = 2000;

interface InterruptParts {
  readonly work: Pick<Work, 'isBusy' | 'isTurn'>;
  readonly asker: Pick<Asker, 'isAsking' | 'refuse'>;
  readonly input: LineInput;
  readonly speaker: Pick<Speaker, 'print'>;
  stop(): void;
  leave(): void;
  now(): number;
}

/** Ctrl+C: stops what runs, empties the prompt, and leaves when it is pressed twice. */
export class Interrupts {
  #last = -Infinity;

  constructor(private readonly parts: InterruptParts) {}

  press(): void {
    const {work, asker, input, speaker, stop, leave} = this.parts;
    const now = this.parts.now();
    if (now - this.#last < TWICE_MS) return leave();
    const isIdle = !work.isBusy && !asker.isAsking;
    if (isIdle && !input.isEmpty) return input.clear({keep: true});
    this.#last = now;
    if (isIdle) return speaker.print('Press Ctrl+C again to leave.\n');
    if (work.isTurn) stop();
    else if (!asker.isAsking) speaker.print('This command cannot be stopped. Press Ctrl+C again to leave.\n');
    asker.refuse();
  }
}
