import type {Session} from '@gemini-kernel/kernel';
import type {AddResult} from '@gemini-kernel/plugin-workspace/contract';
import type {AgentEvent, CallRecord, Entry, TurnEnd} from './conversation.js';
import type {ArgumentCompletion, PromptPart, SlashCommand} from './sourced.js';

/** A line from a person: a prompt for the model, a shell line, or a command. */
export interface Line {
  /** Chosen by the sender, or generated. */
  readonly id?: string;
  readonly kind: 'prompt' | 'shell' | 'command';
  readonly text: string;
  /** For a prompt: what a front end adds to it, such as a picture or a file that is not saved. `@paths` stay text. */
  readonly attached?: readonly PromptPart[];
}

/** A submitted line. */
export type SentLine = Required<Pick<Line, 'id' | 'kind' | 'text'>> & {
  /** A command of a source, which ends as a prompt or with a note. It can be stopped. */
  readonly isSourced?: boolean;
};

/** How a line ended. `withdrawn`: it was removed before it started. */
export type LineEnd =
  | {readonly kind: 'prompt'; readonly turn: TurnEnd}
  | {readonly kind: 'shell'; readonly call: CallRecord}
  | {readonly kind: 'command'}
  | {readonly kind: 'withdrawn'};

/** What a conversation is doing. */
export interface ConversationState {
  readonly id: string;
  /** Its current session. */
  readonly session: string;
  readonly mode: string;
  /** The running line. */
  readonly line?: SentLine;
  /** Waiting lines, in order. */
  readonly queue: readonly SentLine[];
}

/** An event of a conversation, whichever front end caused it. JSON. */
export type ConversationEvent =
  | AgentEvent
  /** A line starts. Events of the agent until `ended` belong to it. */
  | {readonly kind: 'line'; readonly line: SentLine}
  /** With the error, if the person can act on it. */
  | {
      readonly kind: 'ended';
      readonly line: SentLine;
      readonly end?: LineEnd;
      readonly error?: {readonly code: string; readonly message: string; readonly hint?: string};
    }
  | {readonly kind: 'queue'; readonly queue: readonly SentLine[]}
  /** The conversation has moved to another session. */
  | {readonly kind: 'session'; readonly session: string; readonly why: 'new' | 'resumed'; readonly mode: string}
  | {readonly kind: 'mode'; readonly mode: string}
  /** A prompt was removed; its text can be sent again. */
  | {readonly kind: 'rewound'; readonly text: string};

/** Watches a conversation; its callback works until the signal is aborted. */
export interface Follower {
  readonly signal: AbortSignal;
  onEvent(event: ConversationEvent): void;
}

export interface OpenConversation {
  /** Whether a person can be asked; by default as the program was started. */
  readonly interactive?: boolean;
  /** A recorded session to continue, by id, number or `latest`; by default from the flags. */
  readonly resume?: string;
  /** The other program that it works for, as rules name it. */
  readonly caller?: string;
}

/** The session that a kernel session should become, if a conversation and not the flags decide. */
export type SessionChoice =
  | {readonly kind: 'new'}
  /** `taken`: ids of the sessions of open conversations, which cannot be continued twice. */
  | {readonly kind: 'resume'; readonly session: string; readonly taken: readonly string[]};

/**
 * The conversations of front ends in this place, and how to steer them. A conversation is in one session at a time;
 * `begin` and `resume` move it to another one. `of` is the id of a conversation or of its session; every method that
 * takes it throws KernelError CONVERSATION_UNKNOWN.
 */
export interface Conversations {
  /** Opens a session and announces it. Throws the error that prevents the session from starting. */
  open(options?: OpenConversation): Promise<ConversationState>;
  list(): Promise<readonly ConversationState[]>;
  state(of: string): Promise<ConversationState>;
  /** The same, or undefined: for code in a session that need not belong to a conversation. */
  find(of: string): Promise<ConversationState | undefined>;
  history(of: string): Promise<readonly Entry[]>;
  /** Reports events from now on. Resolves when the conversation closes; throws the signal's reason. */
  follow(of: string, follower: Follower): Promise<void>;
  /**
   * Runs a line after those before it, and reports how it ended. A shell line is a call of `run_shell_command` that the
   * person asked for; the model sees it with the next prompt. A sourced command runs without `act`, which runs any
   * other one.
   */
  send(of: string, line: Line, act?: () => Promise<void>): Promise<LineEnd>;
  /** The slash commands. `sources:changed` announces when to ask again. */
  commands(of: string): Promise<readonly SlashCommand[]>;
  /** Completes an argument of a sourced command, or `@text` of a prompt; undefined when the line ends otherwise. */
  complete(of: string, line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
  /** Removes the waiting lines, or one of them, and gives them. */
  unqueue(of: string, line?: string): Promise<readonly SentLine[]>;
  /** Stops the running prompt or shell line; returns whether there was one. A command cannot be stopped. */
  stop(of: string): Promise<boolean>;
  /**
   * Continues in a new session, with the same mode, model and added directories. A running prompt or shell line is
   * stopped first, but not a command. Nothing changes if the new session cannot start.
   */
  begin(of: string): Promise<ConversationState>;
  /** Continues with a recorded session, by id, number or `latest`. Nothing changes if it cannot be loaded. */
  resume(of: string, session: string): Promise<ConversationState>;
  /** Throws KernelError MODE_UNKNOWN, YOLO_DISABLED or another refusal. */
  setMode(of: string, mode: string): Promise<ConversationState>;
  /** The next of default, auto_edit and plan that is not refused; a note reports a refused one. */
  nextMode(of: string): Promise<ConversationState>;
  /** Chooses another model for this conversation. Throws KernelError MODEL_UNKNOWN. */
  setModel(of: string, name: string): Promise<void>;
  /** Chooses how much the model thinks. Throws KernelError THOUGHT_LEVEL_UNKNOWN. */
  setThoughtLevel(of: string, level: string): Promise<void>;
  /** Adds directories that tools may reach while this conversation lasts. */
  addDirectories(of: string, paths: readonly string[]): Promise<AddResult>;
  /** Removes a prompt and everything after it; front ends offer its text again. Throws KernelError PROMPT_UNKNOWN. */
  rewind(of: string, prompt: string): Promise<{readonly text: string}>;
  /** Stops the running line, removes waiting ones, and closes the session. */
  close(of: string): Promise<void>;
  /**
   * While a session begins, what it should become; while it is left, what follows it. Undefined at any other time, also
   * when a conversation ends.
   */
  choice(session: string): Promise<SessionChoice | undefined>;
  /** The current kernel session of a conversation; for a host in the same process. */
  session(of: string): Promise<Session>;
}
