import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {Ui} from '@gemini-kernel/plugin-agent/contract';
import type {Asked} from './question.js';

/** The line-by-line interface. */
export interface ConsoleUi extends Ui {
  /** Asks the person whether a call may run; undefined without a conversation. For the listener of `tool:confirm`. */
  confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation | undefined>;
  /** Shows a form; undefined without a conversation. For the listener of `person:ask`. */
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined>;
  /** Shows a notice; false without a conversation. For the listener of `session:notice`. */
  show(notice: SentNotice): Promise<boolean>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'ui:console': ConsoleUi;
  }
}
