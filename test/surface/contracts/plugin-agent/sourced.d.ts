import type { Part } from '@gemini-kernel/kernel';
export interface CommandOrigin {
  readonly kind: 'project' | 'person' | 'extension' | 'server';
  readonly name?: string;
}
export interface CommandArgument {
  readonly name: string;
  readonly description?: string;
  readonly isRequired?: boolean;
}
export interface SourcedCommand {
  readonly name: string;
  readonly id?: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly origin?: CommandOrigin;
}
export interface Invocation {
  readonly line: string;
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}
export type PromptPart = Part & {
  readonly isForeign?: boolean;
};
export type CommandOutcome =
  | {
      readonly kind: 'prompt';
      readonly parts: readonly PromptPart[];
    }
  | {
      readonly kind: 'message';
      readonly text: string;
      readonly severity?: 'info' | 'warning';
    };
export interface TypedArgument {
  readonly argument: string;
  readonly prefix: string;
  readonly values: Readonly<Record<string, string>>;
}
export interface CommandSource {
  list(): Promise<readonly SourcedCommand[]>;
  refresh?(): Promise<void>;
  run(command: string, invocation: Invocation, signal: AbortSignal): Promise<CommandOutcome>;
  complete?(command: string, typed: TypedArgument, signal: AbortSignal): Promise<readonly string[]>;
}
export interface SourcedContext {
  readonly place: 'system' | 'start';
  readonly title: string;
  readonly text: string;
  readonly from?: string;
  readonly isForeign?: boolean;
}
export interface ContextSource {
  list(): Promise<readonly SourcedContext[]>;
}
export interface MentionSource {
  resolve(text: string, signal: AbortSignal): Promise<readonly PromptPart[] | undefined>;
  complete?(text: string, signal: AbortSignal): Promise<readonly string[]>;
}
export interface SlashCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly aliasOf?: readonly string[];
  readonly owner?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly isSourced?: boolean;
  readonly id?: string;
}
export interface ArgumentCompletion {
  readonly typed: string;
  readonly candidates: readonly string[];
}
export interface SlashCommands {
  list(): Promise<readonly SlashCommand[]>;
  find(line: string): Promise<SlashCommand | undefined>;
  run(line: string, signal: AbortSignal): Promise<CommandOutcome>;
  complete(line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
}
