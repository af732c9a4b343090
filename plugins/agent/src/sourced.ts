import type {Part} from '@gemini-kernel/kernel';

/** The owner of a sourced command. It decides which of two commands keeps a name, and the other one's name. */
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
  /** The name after the slash, such as `git:commit`; words are separated by one space. */
  readonly name: string;
  /** What `run` and `complete` get instead of the name, for a source that lists one name twice. */
  readonly id?: string;
  readonly description: string;
  /** The arguments, for display: `[branch]`. */
  readonly argumentHint?: string;
  /** With these, `--name=value` and words fill `values`, and the person is asked for missing ones. */
  readonly arguments?: readonly CommandArgument[];
  /** Absent: the plugin itself. For an installed plugin, `project` and `person` do not count. */
  readonly origin?: CommandOrigin;
}

/** A command as typed. */
export interface Invocation {
  /** The whole line. */
  readonly line: string;
  /** The text after the name, as typed. */
  readonly text: string;
  /** The given arguments that are declared. */
  readonly values: Readonly<Record<string, string>>;
}

/** A part of a prompt. Text of others is foreign: the model learns whose it is, and that it is not an instruction. */
export type PromptPart = Part & {readonly isForeign?: boolean};

/** The result of a command. `@paths` in parts stay text. */
export type CommandOutcome =
  | {readonly kind: 'prompt'; readonly parts: readonly PromptPart[]}
  | {readonly kind: 'message'; readonly text: string; readonly severity?: 'info' | 'warning'};

/** An argument that is being typed. */
export interface TypedArgument {
  readonly argument: string;
  readonly prefix: string;
  /** The text before it. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The service `commands:<owner>`: slash commands that exist only at run time, under the names that `list` gives. The
 * list is kept until the source calls `changed()` of its context. A source that asks the person first lives in a
 * session and uses `ask` of its context. An error from `run` ends the line with a sentence.
 */
export interface CommandSource {
  list(): Promise<readonly SourcedCommand[]>;
  /** Asked before the list is used: a source that no one notifies looks for changes, and calls `changed()`. */
  refresh?(): Promise<void>;
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
  /** The author, if not the plugin: the name of a server or an extension. */
  readonly from?: string;
  /** Text of others: it comes with the first message or a prompt, and never as part of the instruction. */
  readonly isForeign?: boolean;
}

/** The service `context:<owner>`: context that exists only at run time, kept until the source calls `changed()`. */
export interface ContextSource {
  list(): Promise<readonly SourcedContext[]>;
}

/**
 * The service `mentions:<owner>`: what `@text` in a prompt can name beside files. `resolve` gives its content, or
 * undefined when the text names nothing of this source.
 */
export interface MentionSource {
  resolve(text: string, signal: AbortSignal): Promise<readonly PromptPart[] | undefined>;
  /** What a mention can be that begins with the text. */
  complete?(text: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** A command that you can type in a conversation, as `/words`. */
export interface SlashCommand {
  readonly words: readonly string[];
  readonly summary: string;
  /** The words of the command that this is an alias of. */
  readonly aliasOf?: readonly string[];
  /** Its origin, for display; absent for commands of the user interface itself. */
  readonly owner?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly CommandArgument[];
  /** It comes from a source, and runs without the host. */
  readonly isSourced?: boolean;
  /** The id that its source gave it. */
  readonly id?: string;
}

/** The possible replacements of `typed`, at the end of a line. */
export interface ArgumentCompletion {
  readonly typed: string;
  readonly candidates: readonly string[];
}

/** All slash commands of a session: those of plugins, and those of sources. */
export interface SlashCommands {
  list(): Promise<readonly SlashCommand[]>;
  /** The command of a source that a line calls. */
  find(line: string): Promise<SlashCommand | undefined>;
  /** Runs the command of a source. Throws COMMAND_INPUT_INVALID, COMMAND_FAILED and the errors of the source. */
  run(line: string, signal: AbortSignal): Promise<CommandOutcome>;
  /** Completes an argument of a sourced command, or `@text` of a prompt; undefined when the line ends otherwise. */
  complete(line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
}
