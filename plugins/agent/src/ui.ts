import type {
  Confirmation,
  FormReply,
  PayloadOf,
  SentForm,
  SentNotice,
  ServiceName,
  Services,
} from '@gemini-kernel/kernel';
import type {SlashCommand} from './sourced.js';
import type {Conversations} from './steering.js';

/** Where a conversation is held. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** What a conversation with a person needs; for use within this process. */
export interface Seat extends Terminal {
  /** The id of the conversation, which `conversations` steers. */
  readonly conversation: string;
  readonly conversations: Conversations;
  /** A service of the conversation's current session, for the plugin of the interface. */
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  readonly colour: boolean;
  /** Sent first, as if typed. */
  readonly prompt?: string;
  /** The commands of plugins; `conversations.commands` gives those of sources too. */
  readonly commands: readonly SlashCommand[];
  /** Runs a command of a plugin, which prints to the terminal, or else to `printed`. Throws the command's errors. */
  slash(words: readonly string[], printed?: NodeJS.WritableStream): Promise<void>;
  /** The lines that were printed before the conversation, for an interface that hides them. */
  readonly said?: readonly string[];
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
}

/**
 * A user interface: the service `ui:<name>` of a place, so that it stays when the conversation moves to another
 * session. It also listens to `tool:confirm`, and answers during a conversation.
 */
export interface Ui {
  /** Whether it can be used there; without this, it always can. The first interface that can is the default. */
  suits?(terminal: Terminal): Promise<boolean>;
  /** Runs the conversation until the person leaves. */
  converse(seat: Seat): Promise<void>;
}

/** An interface that can ask a person during its conversation. Without a conversation, each method gives no answer. */
export interface PersonUi extends Ui {
  /** Asks whether a call may run; for the listener of `tool:confirm`. */
  confirm(asked: PayloadOf<'tool:confirm'>, signal: AbortSignal): Promise<Confirmation | undefined>;
  /** Shows a form; for the listener of `person:ask`. */
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined>;
  /** Shows a notice; returns whether it did. For the listener of `session:notice`. */
  show(notice: SentNotice): Promise<boolean>;
}
