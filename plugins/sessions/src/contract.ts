import type {ToolCall} from '@gemini-kernel/kernel';
import type {Entry, HistoryChange, LoadedHistory} from '@gemini-kernel/plugin-agent/contract';

/** A recorded conversation, as lists show it. */
export interface SessionSummary {
  readonly id: string;
  /** Counted from 1, oldest first. */
  readonly number: number;
  /** The name that a person gave it, or the summary that a model made, else the first prompt. */
  readonly title: string;
  /** ISO. */
  readonly started: string;
  readonly updated: string;
  readonly file: string;
  /** The conversation that asks. */
  readonly isCurrent: boolean;
}

/** A file that is named like a session but cannot be read as one. It is never deleted. */
export interface BrokenSession {
  readonly file: string;
  readonly reason: string;
}

/** What was done in a session, in the form of Gemini CLI: made from its calls, without a model. */
export interface Scratchpad {
  readonly version: 1;
  /** Tools, paths and the outcome of checks in one line. */
  readonly workflowSummary?: string;
  /** Each once; shell commands as the name of their program. */
  readonly toolSequence?: readonly string[];
  /** Below the project, or the last name only. */
  readonly touchedPaths?: readonly string[];
  /** How the last call ended that tests, builds or checks. */
  readonly validationStatus?: 'passed' | 'failed' | 'unknown';
}

/** A recorded conversation, whole. */
export interface StoredSession extends SessionSummary {
  readonly entries: readonly Entry[];
  /** Absent before its end, and when something was said since. */
  readonly scratchpad?: Scratchpad;
  /** A sentence about what is missing. */
  readonly notice?: string;
}

/** The conversation of an agent, below that of its caller. */
export interface AgentSession {
  readonly id: string;
  readonly agent: string;
  /** The session that called it, and how deep below the main conversation it is: 1 for one that it called. */
  readonly caller: string;
  readonly depth: number;
  /** ISO. */
  readonly started: string;
  readonly file: string;
  readonly entries: readonly Entry[];
  /** A sentence about what is missing. */
  readonly notice?: string;
}

/** Where a text was found. */
export interface SessionMatch {
  readonly session: SessionSummary;
  readonly entry: string;
  readonly role: 'user' | 'model';
  /** The line that contains it, shortened. */
  readonly line: string;
}

/** A prompt that you can go back to. */
export interface Prompt {
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  readonly time: string;
  readonly text: string;
  /** How many files calls have changed from here on. */
  readonly files: number;
}

/** What the calls of one prompt changed. */
export interface PromptChanges {
  /** The id of the prompt. */
  readonly prompt: string;
  readonly files: number;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** False when some file could not be compared: its lines are not counted. */
  readonly isComplete: boolean;
}

/** A file as a rewind would change it. */
export interface FileChange {
  /** Below the working directory, or absolute. */
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** A unified diff; empty when the content cannot be compared. */
  readonly diff: string;
  /** Why it would not be restored, or cannot be shown. */
  readonly note?: string;
}

/** One call before which files were saved. */
export interface Checkpoint {
  /** The call's id. */
  readonly id: string;
  readonly number: number;
  readonly time: string;
  readonly tool: string;
  /** The prompt it belongs to. */
  readonly prompt?: string;
  readonly files: readonly string[];
  /** What cannot be restored, and why: sentences. */
  readonly gaps: readonly string[];
}

/** The result for each file of a restore. */
export interface Restored {
  readonly restored: readonly string[];
  /** Created by the agent, unchanged since, and removed. */
  readonly removed: readonly string[];
  /** Not changed, because someone else has changed them since. */
  readonly changed: readonly string[];
  /** Not changed, because rules ask about such files and no person agreed: path and reason. */
  readonly guarded: readonly {readonly path: string; readonly reason: string}[];
  /** Not changed, because they may not be restored or their former content was not saved: path and reason. */
  readonly lost: readonly {readonly path: string; readonly reason: string}[];
}

export interface RestoreWish {
  /** Also overwrite what someone else has changed since. */
  readonly force: boolean;
  /** Guarded paths that a person agreed to. */
  readonly approved?: readonly string[];
}

export interface Rewound {
  readonly text: string;
  readonly files?: Restored;
}

/**
 * The recorded conversations of this project. Sessions are named by id, number or `latest`; inside a conversation also
 * `current`.
 */
export interface Sessions {
  list(): Promise<{readonly sessions: readonly SessionSummary[]; readonly broken: readonly BrokenSession[]}>;
  /** Throws KernelError SESSION_UNKNOWN. */
  find(name: string): Promise<SessionSummary>;
  /** Throws KernelError SESSION_UNKNOWN or SESSION_BROKEN. */
  open(name: string): Promise<StoredSession>;
  /** The conversations of the agents that it called, in the order they began. Throws KernelError SESSION_UNKNOWN. */
  agents(name: string): Promise<readonly AgentSession[]>;
  /** Deletes everything that belongs to it. Throws KernelError SESSION_UNKNOWN or SESSION_IN_USE. */
  delete(name: string): Promise<SessionSummary>;
  /**
   * Gives a session another name in lists. Throws KernelError SESSION_UNKNOWN, SESSION_IN_USE, SESSION_TITLE_INVALID or
   * SESSION_UNWRITABLE.
   */
  rename(name: string, title: string): Promise<SessionSummary>;
  /** The conversation as text: Markdown for reading, JSON to start a new session from (`--session-file`). */
  export(name: string, format: 'markdown' | 'json'): Promise<string>;
  search(text: string): Promise<readonly SessionMatch[]>;
  prompts(name: string): Promise<readonly Prompt[]>;
  /**
   * Goes back to before a prompt, by number or id. Throws KernelError SESSION_PROMPT_UNKNOWN, SESSION_IN_USE or
   * CHECKPOINT_CONFLICT.
   */
  rewind(
    name: string,
    prompt: string,
    options: {readonly what: 'both' | 'conversation' | 'files'} & RestoreWish,
  ): Promise<Rewound>;
  /** What each prompt changed; prompts that changed nothing are left out. */
  changes(name: string): Promise<readonly PromptChanges[]>;
  /** What going back to before a prompt, by number or id, would do to files. Throws SESSION_PROMPT_UNKNOWN. */
  undo(name: string, prompt: string): Promise<readonly FileChange[]>;
  checkpoints(name: string): Promise<readonly Checkpoint[]>;
  /**
   * Restores files to their state before a checkpoint, by number or id. Throws KernelError CHECKPOINT_UNKNOWN or
   * CHECKPOINT_CONFLICT.
   */
  restore(name: string, checkpoint: string, options: RestoreWish): Promise<Restored>;
  /** Saves a conversation under a name. Throws KernelError TAG_TAKEN unless `force`. */
  saveTag(name: string, tag: string, options: {readonly force: boolean}): Promise<{readonly file: string}>;
  tags(): Promise<readonly {readonly tag: string; readonly saved: string}[]>;
  /** Creates a session from a saved conversation, ready to be resumed. Throws KernelError TAG_UNKNOWN. */
  resumeTag(tag: string): Promise<{readonly id: string}>;
  deleteTag(tag: string): Promise<void>;
}

/** Records the agent's conversation; only for this plugin's own listeners. */
export interface Recording {
  /**
   * Decides which session this is. Throws KernelError SESSION_FLAGS_CONFLICT, SESSION_UNKNOWN, SESSION_IN_USE,
   * SESSION_EXISTS, SESSION_ID_INVALID or SESSION_FILE_UNREADABLE.
   */
  begin(id: string): Promise<string>;
  load(): Promise<LoadedHistory | undefined>;
  change(change: HistoryChange): Promise<void>;
  directories(): Promise<void>;
  /** The last prompt, and the folder of the session's own files; undefined before there is one. */
  place(): Promise<{readonly prompt: string | undefined; readonly folder: string} | undefined>;
  opened(): Promise<void>;
  /** Gives the session that is recorded a name; returns false before it has a prompt. */
  rename(title: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Saves files before calls change them; only for this plugin's own listener. No method throws. */
export interface Checkpoints {
  before(call: ToolCall): Promise<void>;
  after(call: ToolCall): Promise<void>;
  /** Resolves when all changes of finished calls are recorded. */
  settled(): Promise<void>;
}

/** Which prompt each session of a place is at, for what agents change below it. */
export interface CurrentPrompts {
  note(session: string, prompt: string | undefined): Promise<void>;
  of(session: string): Promise<string | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'current-prompts': CurrentPrompts;
    sessions: Sessions;
    recording: Recording;
    checkpoints: Checkpoints;
  }
}
