import type { ServiceName, Services } from '@gemini-kernel/kernel';
import type { Conversations } from './steering.js';
export interface SlashCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly aliasOf?: readonly string[];
}
export interface Seat {
  readonly conversation: string;
  readonly conversations: Conversations;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly colour: boolean;
  readonly prompt?: string;
  readonly commands: readonly SlashCommand[];
  slash(words: readonly string[]): Promise<void>;
  readonly signal: AbortSignal;
}
export interface Ui {
  converse(seat: Seat): Promise<void>;
}
