import type {Session} from '@gemini-kernel/kernel';
import type {AddResult} from '@gemini-kernel/plugin-workspace/contract';
import type {AgentEvent, CallRecord, Entry, TurnEnd} from './conversation.js';
import type {ArgumentCompletion, SlashCommand} from './sourced.js';

/** What a person sends: a prompt for the model, a line for the shell, or a command. */
export interface Line {
  /** Chosen by the sender, or made here. */
  readonly id?: string;
  readonly kind: 'prompt' | 'shell' | 'command';
  readonly text: string;
}

/** A line on its way. */
export type SentLine = Required<Line> & {
  /** A command of a source, which ends as a prompt or with a note. It can be stopped. */
  readonly isSourced?: boolean;
};

/** How a line ended. `withdrawn`: it was taken back before it began. */
export type LineEnd =
  | {readonly kind: 'prompt'; readonly turn: TurnEnd}
  | {readonly kind: 'shell'; readonly call: CallRecord}
  | {readonly kind: 'command'}
  | {readonly kind: 'withdrawn'};

/** What a conversation is doing. */
export interface ConversationState {
  readonly id: string;
  /** The session that it is in now. */
  readonly session: string;
  readonly mode: string;
  /** The line that is being dealt with. */
  readonly line?: SentLine;
  /** Lines that wait for it, in order. */
  readonly queue: readonly SentLine[];
}

/** What happens in a conversation, whichever front end caused it. JSON. */
export type ConversationEvent =
  | AgentEvent
  /** A line begins. What the agent says until `ended` belongs to it. */
  | {readonly kind: 'line'; readonly line: SentLine}
  /** With the error if it failed in a way that a person can do something about. */
  | {
      readonly kind: 'ended';
      readonly line: SentLine;
      readonly end?: LineEnd;
      readonly error?: {readonly code: string; readonly message: string; readonly hint?: string};
    }
  | {readonly kind: 'queue'; readonly queue: readonly SentLine[]}
  /** The conversation is in another session. */
  | {readonly kind: 'session'; readonly session: string; readonly why: 'new' | 'resumed'; readonly mode: string}
  | {readonly kind: 'mode'; readonly mode: string}
  /** A prompt was taken back; its text can be sent again. */
  | {readonly kind: 'rewound'; readonly text: string};

/** Watches a conversation; its callback works until the signal is aborted. */
export interface Follower {
  readonly signal: AbortSignal;
  onEvent(event: ConversationEvent): void;
}

export interface OpenConversation {
  /** Whether a person can be asked; otherwise as the program was started. */
  readonly interactive?: boolean;
  /** A recorded session to continue, by id, number or `latest`; otherwise as the flags say. */
  readonly resume?: string;
}

/** Which session a kernel session is to be, when a conversation and not the flags decide. */
export type SessionChoice =
  | {readonly kind: 'new'}
  /** `taken`: ids of sessions that conversations here are in, which cannot be continued twice. */
  | {readonly kind: 'resume'; readonly session: string; readonly taken: readonly string[]};

/**
 * The conversations of front ends in this place, and all that steers them. A conversation is in one session at a time;
 * `begin` and `resume` take it to another one. `of` is the id of a conversation or of the session that it is in; every
 * method that takes it throws KernelError CONVERSATION_UNKNOWN.
 */
export interface Conversations {
  /** Opens a session and announces it. Throws what keeps the session from beginning. */
  open(options?: OpenConversation): Promise<ConversationState>;
  list(): Promise<readonly ConversationState[]>;
  state(of: string): Promise<ConversationState>;
  /** The same, or undefined: for what runs in a session that need not belong to a conversation. */
  find(of: string): Promise<ConversationState | undefined>;
  history(of: string): Promise<readonly Entry[]>;
  /** Tells what happens from now on. Resolves when the conversation closes; throws the reason of the signal. */
  follow(of: string, follower: Follower): Promise<void>;
  /**
   * Deals with a line when those before it have ended, and says how it ended. A line of the shell is a call of
   * `run_shell_command` that the person asked for; the model sees it with the next prompt. A command of a source runs
   * without `act`, which runs any other one.
   */
  send(of: string, line: Line, act?: () => Promise<void>): Promise<LineEnd>;
  /** What can be typed after a slash. `sources:changed` says when to ask again. */
  commands(of: string): Promise<readonly SlashCommand[]>;
  /** Completes an argument of a command of a source; undefined when the line ends with none. */
  complete(of: string, line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
  /** Takes back the lines that wait, or one of them, and gives them. */
  unqueue(of: string, line?: string): Promise<readonly SentLine[]>;
  /** Stops the prompt or the line of the shell that runs; whether there was one. A command cannot be stopped. */
  stop(of: string): Promise<boolean>;
  /**
   * Continues in a new session, with the same mode, chosen model and added directories; what runs is stopped first, but
   * for a command. Nothing changes when the new session cannot begin.
   */
  begin(of: string): Promise<ConversationState>;
  /** Continues with a recorded session, by id, number or `latest`. Nothing changes when it cannot be had. */
  resume(of: string, session: string): Promise<ConversationState>;
  /** Throws KernelError MODE_UNKNOWN, YOLO_DISABLED or what else refuses it. */
  setMode(of: string, mode: string): Promise<ConversationState>;
  /** The next of default, auto_edit and plan that is not refused; a note tells of one that is. */
  nextMode(of: string): Promise<ConversationState>;
  /** Chooses another model for this conversation. Throws KernelError MODEL_UNKNOWN. */
  setModel(of: string, name: string): Promise<void>;
  /** Lets tools reach more directories for as long as this conversation lasts. */
  addDirectories(of: string, paths: readonly string[]): Promise<AddResult>;
  /** Forgets a prompt and what came after; front ends offer its text again. Throws KernelError PROMPT_UNKNOWN. */
  rewind(of: string, prompt: string): Promise<{readonly text: string}>;
  /** Stops what runs, takes back what waits, and closes the session. */
  close(of: string): Promise<void>;
  /** Which session a kernel session is to be; for the plugin that records, before the session begins. */
  choice(session: string): Promise<SessionChoice | undefined>;
  /** The kernel session that a conversation is in now; for a host in the same process. */
  session(of: string): Promise<Session>;
}
