import type {ToolCall} from '@gemini-kernel/kernel';
import type {Entry, HistoryChange, LoadedHistory} from '@gemini-kernel/plugin-agent/contract';

/** A recorded conversation, as lists show it. */
export interface SessionSummary {
  readonly id: string;
  /** Counted from 1, the oldest first. */
  readonly number: number;
  /** The summary that a model made, else what the person said first. */
  readonly title: string;
  /** ISO. */
  readonly started: string;
  readonly updated: string;
  readonly file: string;
  /** The conversation that this is asked in. */
  readonly isCurrent: boolean;
}

/** A file that has the name of a session and cannot be read as one. It is never deleted. */
export interface BrokenSession {
  readonly file: string;
  readonly reason: string;
}

/** A recorded conversation, whole. */
export interface StoredSession extends SessionSummary {
  readonly entries: readonly Entry[];
  /** A sentence about what is missing. */
  readonly notice?: string;
}

/** Where a text was found. */
export interface SessionMatch {
  readonly session: SessionSummary;
  readonly entry: string;
  readonly role: 'user' | 'model';
  /** The line it stands in, shortened. */
  readonly line: string;
}

/** Something the person said, to go back to. */
export interface Prompt {
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  readonly time: string;
  readonly text: string;
  /** How many files calls have changed from here on. */
  readonly files: number;
}

/** One call before which files were kept. */
export interface Checkpoint {
  /** The call's id. */
  readonly id: string;
  readonly number: number;
  readonly time: string;
  readonly tool: string;
  /** The prompt it belongs to. */
  readonly prompt?: string;
  readonly files: readonly string[];
  /** What cannot be brought back, and why: sentences. */
  readonly gaps: readonly string[];
}

/** What became of each file when files were brought back. */
export interface Restored {
  readonly restored: readonly string[];
  /** Made by the agent, unchanged since, and taken away. */
  readonly removed: readonly string[];
  /** Left as they are, because somebody else has changed them since. */
  readonly changed: readonly string[];
  /** Left as they are, because rules ask about such files and no person said yes: path and reason. */
  readonly guarded: readonly {readonly path: string; readonly reason: string}[];
  /** Left as they are, because they may not be brought back or what they were was not kept: path and reason. */
  readonly lost: readonly {readonly path: string; readonly reason: string}[];
}

export interface RestoreWish {
  /** Also what somebody else has changed since. */
  readonly force: boolean;
  /** Paths that a person said yes to, of those that were guarded. */
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
  /** With all that belongs to it. Throws KernelError SESSION_UNKNOWN or SESSION_IN_USE. */
  delete(name: string): Promise<SessionSummary>;
  /** The conversation as text: Markdown to read, JSON to start from again (`--session-file`). */
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
  checkpoints(name: string): Promise<readonly Checkpoint[]>;
  /**
   * Brings files back to before a checkpoint, by number or id. Throws KernelError CHECKPOINT_UNKNOWN or
   * CHECKPOINT_CONFLICT.
   */
  restore(name: string, checkpoint: string, options: RestoreWish): Promise<Restored>;
  /** Keeps a conversation under a name of the person's. Throws KernelError TAG_TAKEN unless `force`. */
  saveTag(name: string, tag: string, options: {readonly force: boolean}): Promise<{readonly file: string}>;
  tags(): Promise<readonly {readonly tag: string; readonly saved: string}[]>;
  /** Makes a session of a kept conversation, to be resumed. Throws KernelError TAG_UNKNOWN. */
  resumeTag(tag: string): Promise<{readonly id: string}>;
  deleteTag(tag: string): Promise<void>;
}

/** What the agent's conversation is recorded with; only for this plugin's own listeners. */
export interface Recording {
  /**
   * Settles which session this is. Throws KernelError SESSION_FLAGS_CONFLICT, SESSION_UNKNOWN, SESSION_IN_USE,
   * SESSION_EXISTS, SESSION_ID_INVALID or SESSION_FILE_UNREADABLE.
   */
  begin(id: string): Promise<string>;
  load(): Promise<LoadedHistory | undefined>;
  change(change: HistoryChange): Promise<void>;
  directories(): Promise<void>;
  /** The person's last prompt, and where the session's own things are; undefined before there is one. */
  place(): Promise<{readonly prompt: string | undefined; readonly folder: string} | undefined>;
  opened(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps files as they are before calls change them; only for this plugin's own listener. No method throws. */
export interface Checkpoints {
  before(call: ToolCall): Promise<void>;
  after(call: ToolCall): Promise<void>;
  /** Resolves when everything that ended calls changed is recorded. */
  settled(): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    sessions: Sessions;
    recording: Recording;
    checkpoints: Checkpoints;
  }
}
