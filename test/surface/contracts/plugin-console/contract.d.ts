import type { Confirmation, FormReply, SentForm, SentNotice } from '@gemini-kernel/kernel';
import type { Ui } from '@gemini-kernel/plugin-agent/contract';
import type { Asked } from './question.js';
export interface ConsoleUi extends Ui {
  confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation | undefined>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined>;
  show(notice: SentNotice): Promise<boolean>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'ui:console': ConsoleUi;
  }
}
