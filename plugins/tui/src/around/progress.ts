import type {Environment} from '@gemini-kernel/kernel';
import type {Sign, WaitState} from './sign.js';

const STATES: Readonly<Record<WaitState, string>> = {ready: '0', working: '3', asking: '4;100'};

/** Removes the progress. */
export const PROGRESS_OFF = '\u001b]9;4;0\u0007';

/** Whether a terminal shows progress in its tab or task bar. Others take the sequence for a notification. */
export function hasProgress({variables}: Pick<Environment, 'variables'>): boolean {
  if (variables['TMUX'] !== undefined || variables['STY'] !== undefined) return false;
  return (
    variables['WT_SESSION'] !== undefined || variables['ConEmuANSI'] === 'ON' || variables['TERM_PROGRAM'] === 'ghostty'
  );
}

/** Shows in the tab or the task bar that gemini works, or asks. */
export class Progress implements Sign {
  #shown: WaitState = 'ready';

  constructor(private readonly write: (text: string) => unknown) {}

  show(state: WaitState): void {
    if (state === this.#shown) return;
    this.#shown = state;
    this.write(`\u001b]9;4;${STATES[state]}\u0007`);
  }
}
