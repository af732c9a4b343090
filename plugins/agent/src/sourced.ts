import type {Part} from '@gemini-kernel/kernel';

/** Who gave a command to a source. It settles which of two commands keeps a name, and what the other one is called. */
export interface CommandOrigin {
  readonly kind: 'project' | 'person' | 'extension' | 'server';
  /** Of the extension or the server. */
  readonly name?: string;
}

/** An argument that a command declares. */
export interface CommandArgument {
  readonly name: string;
  readonly description?: string;
  readonly isRequired?: boolean;
}

/** A command as a source lists it. JSON. */
export interface SourcedCommand {
  /** As it is typed after the slash, such as `git:commit`; words are separated by one blank. */
  readonly name: string;
  readonly description: string;
  /** What follows the name, for people: `[branch]`. */
  readonly argumentHint?: string;
  /** With these, `--name=value` and words are read into `values`, and a person is asked for what is missing. */
  readonly arguments?: readonly CommandArgument[];
  /** Absent: the plugin itself. Of an installed plugin, `project` and `person` do not count. */
  readonly origin?: CommandOrigin;
}

/** A command as it was typed. */
export interface Invocation {
  /** The whole line. */
  readonly line: string;
  /** What stands behind the name, as it was typed. */
  readonly text: string;
  /** The declared arguments that were given. */
  readonly values: Readonly<Record<string, string>>;
}

/** A part of a prompt. What others wrote is foreign: the model is told whose it is, and that it is no instruction. */
export type PromptPart = Part & {readonly isForeign?: boolean};

/** What a command comes to. `@paths` in parts stay text. */
export type CommandOutcome =
  | {readonly kind: 'prompt'; readonly parts: readonly PromptPart[]}
  | {readonly kind: 'message'; readonly text: string; readonly severity?: 'info' | 'warning'};

/** An argument that is being typed. */
export interface TypedArgument {
  readonly argument: string;
  readonly prefix: string;
  /** What stands before it. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The service `commands:<owner>`: slash commands that exist only at run time, by the name that `list` gives. The list
 * is kept until the source calls `changed()` of its context. A source that asks the person first lives in a session and
 * uses `ask` of its context. What `run` throws ends the line with a sentence.
 */
export interface CommandSource {
  list(): Promise<readonly SourcedCommand[]>;
  run(command: string, invocation: Invocation, signal: AbortSignal): Promise<CommandOutcome>;
  /** Values that an argument can have. */
  complete?(command: string, typed: TypedArgument, signal: AbortSignal): Promise<readonly string[]>;
}

/** One section of context as a source lists it. JSON. */
export interface SourcedContext {
  /** `system`: in the instruction above the conversation; `start`: in the first message, and again when it changes. */
  readonly place: 'system' | 'start';
  readonly title: string;
  readonly text: string;
  /** Who wrote it, when that is not the plugin: the name of a server or an extension. */
  readonly from?: string;
  /** Written by others: it comes with the first message or a prompt, and never as part of the instruction. */
  readonly isForeign?: boolean;
}

/** The service `context:<owner>`: context that exists only at run time, kept until the source calls `changed()`. */
export interface ContextSource {
  list(): Promise<readonly SourcedContext[]>;
}

/** A command that can be typed in a conversation, as `/words`. */
export interface SlashCommand {
  readonly words: readonly string[];
  readonly summary: string;
  /** The words of the command that this is another name of. */
  readonly aliasOf?: readonly string[];
  /** Who it comes from, for people; absent for commands of the user interface itself. */
  readonly owner?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly CommandArgument[];
  /** It comes from a source, and runs without the host. */
  readonly isSourced?: boolean;
}

/** What can stand in the place of `typed`, at the end of a line. */
export interface ArgumentCompletion {
  readonly typed: string;
  readonly candidates: readonly string[];
}

/** All commands that can be typed in a session: those of plugins, and those of sources. */
export interface SlashCommands {
  list(): Promise<readonly SlashCommand[]>;
  /** The command of a source that a line calls. */
  find(line: string): Promise<SlashCommand | undefined>;
  /** Runs the command of a source. Throws COMMAND_INPUT_INVALID, COMMAND_FAILED and what the source throws. */
  run(line: string, signal: AbortSignal): Promise<CommandOutcome>;
  /** Completes an argument of a command of a source; undefined when the line is at none. */
  complete(line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
}
