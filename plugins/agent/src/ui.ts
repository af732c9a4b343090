import type {Agent} from './conversation.js';

/** A command that can be typed in a conversation, as `/words`. */
export interface SlashCommand {
  readonly words: readonly string[];
  readonly summary: string;
  /** The words of the command that this is another name of. */
  readonly aliasOf?: readonly string[];
}

/** What a conversation with a person needs; for use within this process. */
export interface Seat {
  readonly agent: Agent;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly colour: boolean;
  /** Sent first, as if it had been typed. */
  readonly prompt?: string;
  readonly commands: readonly SlashCommand[];
  /** Runs one; what it prints goes to the output. Throws as the command does. */
  slash(words: readonly string[]): Promise<void>;
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
}

/** A user interface: the service `ui:<name>`. It also listens to `tool:confirm`, and answers while it converses. */
export interface Ui {
  /** Converses until the person leaves. */
  converse(seat: Seat): Promise<void>;
}
