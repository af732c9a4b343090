import type {
  Confirmation,
  FormReply,
  PayloadOf,
  SentForm,
  SentNotice,
  ServiceName,
  Services,
} from '@gemini-kernel/kernel';
import type { SlashCommand } from './sourced.js';
import type { Conversations } from './steering.js';
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}
export interface Seat extends Terminal {
  readonly conversation: string;
  readonly conversations: Conversations;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  readonly colour: boolean;
  readonly prompt?: string;
  readonly commands: readonly SlashCommand[];
  slash(words: readonly string[], printed?: NodeJS.WritableStream): Promise<void>;
  readonly said?: readonly string[];
  readonly signal: AbortSignal;
}
export interface Ui {
  suits?(terminal: Terminal): Promise<boolean>;
  converse(seat: Seat): Promise<void>;
}
export interface PersonUi extends Ui {
  confirm(asked: PayloadOf<'tool:confirm'>, signal: AbortSignal): Promise<Confirmation | undefined>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined>;
  show(notice: SentNotice): Promise<boolean>;
}
