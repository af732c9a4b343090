import type {Confirmation} from '@gemini-kernel/kernel';
import type {Ui} from '@gemini-kernel/plugin-agent/contract';
import type {Asked} from './question.js';

/** The line-by-line interface. */
export interface ConsoleUi extends Ui {
  /** Asks the person whether a call may run; undefined while nobody converses. For the listener of `tool:confirm`. */
  confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'ui:console': ConsoleUi;
  }
}
