import type {Environment} from '@gemini-kernel/kernel';
import type {Keyboard} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';
import type {Viewing} from './views/viewing.js';

interface JobParts {
  readonly environment: Pick<Environment, 'platform'>;
  readonly screen: Screen;
  readonly terminal: Keyboard;
  readonly speaker: Speaker;
  readonly viewing: Pick<Viewing, 'isOpen' | 'leave' | 'redraw'>;
  /** Whether a command has the terminal, which then keeps it. */
  isLent(): boolean;
}

/** The conversation as a job of the shell. */
export class Job {
  constructor(private readonly parts: JobParts) {}

  /** Gives the terminal back to the shell until it continues this job. */
  suspend(): void {
    const {environment, screen, terminal, speaker, viewing, isLent} = this.parts;
    if (environment.platform === 'win32') return speaker.print('Windows cannot suspend a program.\n');
    if (isLent()) return;
    viewing.leave();
    screen.release();
    terminal.suspend();
  }

  continue(): void {
    const {viewing, screen, isLent} = this.parts;
    if (viewing.isOpen) viewing.redraw();
    else if (!isLent()) screen.acquire();
  }
}
