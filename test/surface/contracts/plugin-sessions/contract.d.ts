import type { ToolCall } from '@gemini-kernel/kernel';
import type { Entry, HistoryChange, LoadedHistory } from '@gemini-kernel/plugin-agent/contract';
export interface SessionSummary {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly started: string;
  readonly updated: string;
  readonly file: string;
  readonly isCurrent: boolean;
}
export interface BrokenSession {
  readonly file: string;
  readonly reason: string;
}
export interface Scratchpad {
  readonly version: 1;
  readonly workflowSummary?: string;
  readonly toolSequence?: readonly string[];
  readonly touchedPaths?: readonly string[];
  readonly validationStatus?: 'passed' | 'failed' | 'unknown';
}
export interface StoredSession extends SessionSummary {
  readonly entries: readonly Entry[];
  readonly scratchpad?: Scratchpad;
  readonly notice?: string;
}
export interface AgentSession {
  readonly id: string;
  readonly agent: string;
  readonly caller: string;
  readonly depth: number;
  readonly started: string;
  readonly file: string;
  readonly entries: readonly Entry[];
  readonly notice?: string;
}
export interface SessionMatch {
  readonly session: SessionSummary;
  readonly entry: string;
  readonly role: 'user' | 'model';
  readonly line: string;
}
export interface Prompt {
  readonly id: string;
  readonly number: number;
  readonly time: string;
  readonly text: string;
  readonly files: number;
}
export interface PromptChanges {
  readonly prompt: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly isComplete: boolean;
}
export interface FileChange {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
  readonly diff: string;
  readonly note?: string;
}
export interface Checkpoint {
  readonly id: string;
  readonly number: number;
  readonly time: string;
  readonly tool: string;
  readonly prompt?: string;
  readonly files: readonly string[];
  readonly gaps: readonly string[];
}
export interface Restored {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly guarded: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
  readonly lost: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
}
export interface RestoreWish {
  readonly force: boolean;
  readonly approved?: readonly string[];
}
export interface Rewound {
  readonly text: string;
  readonly files?: Restored;
}
export interface Sessions {
  list(): Promise<{
    readonly sessions: readonly SessionSummary[];
    readonly broken: readonly BrokenSession[];
  }>;
  find(name: string): Promise<SessionSummary>;
  open(name: string): Promise<StoredSession>;
  agents(name: string): Promise<readonly AgentSession[]>;
  delete(name: string): Promise<SessionSummary>;
  rename(name: string, title: string): Promise<SessionSummary>;
  export(name: string, format: 'markdown' | 'json'): Promise<string>;
  search(text: string): Promise<readonly SessionMatch[]>;
  prompts(name: string): Promise<readonly Prompt[]>;
  rewind(
    name: string,
    prompt: string,
    options: {
      readonly what: 'both' | 'conversation' | 'files';
    } & RestoreWish,
  ): Promise<Rewound>;
  changes(name: string): Promise<readonly PromptChanges[]>;
  undo(name: string, prompt: string): Promise<readonly FileChange[]>;
  checkpoints(name: string): Promise<readonly Checkpoint[]>;
  restore(name: string, checkpoint: string, options: RestoreWish): Promise<Restored>;
  saveTag(
    name: string,
    tag: string,
    options: {
      readonly force: boolean;
    },
  ): Promise<{
    readonly file: string;
  }>;
  tags(): Promise<
    readonly {
      readonly tag: string;
      readonly saved: string;
    }[]
  >;
  resumeTag(tag: string): Promise<{
    readonly id: string;
  }>;
  deleteTag(tag: string): Promise<void>;
}
export interface Recording {
  begin(id: string): Promise<string>;
  load(): Promise<LoadedHistory | undefined>;
  change(change: HistoryChange): Promise<void>;
  directories(): Promise<void>;
  place(): Promise<
    | {
        readonly prompt: string | undefined;
        readonly folder: string;
      }
    | undefined
  >;
  opened(): Promise<void>;
  rename(title: string): Promise<boolean>;
  close(): Promise<void>;
}
export interface Checkpoints {
  before(call: ToolCall): Promise<void>;
  after(call: ToolCall): Promise<void>;
  settled(): Promise<void>;
}
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
