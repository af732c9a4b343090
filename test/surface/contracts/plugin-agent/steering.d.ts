import type { Session } from '@gemini-kernel/kernel';
import type { AddResult } from '@gemini-kernel/plugin-workspace/contract';
import type { AgentEvent, CallRecord, Entry, TurnEnd } from './conversation.js';
import type { ArgumentCompletion, PromptPart, SlashCommand } from './sourced.js';
export interface Line {
  readonly id?: string;
  readonly kind: 'prompt' | 'shell' | 'command';
  readonly text: string;
  readonly attached?: readonly PromptPart[];
}
export type SentLine = Required<Pick<Line, 'id' | 'kind' | 'text'>> & {
  readonly isSourced?: boolean;
};
export type LineEnd =
  | {
      readonly kind: 'prompt';
      readonly turn: TurnEnd;
    }
  | {
      readonly kind: 'shell';
      readonly call: CallRecord;
    }
  | {
      readonly kind: 'command';
    }
  | {
      readonly kind: 'withdrawn';
    };
export interface ConversationState {
  readonly id: string;
  readonly session: string;
  readonly mode: string;
  readonly line?: SentLine;
  readonly queue: readonly SentLine[];
}
export type ConversationEvent =
  | AgentEvent
  | {
      readonly kind: 'line';
      readonly line: SentLine;
    }
  | {
      readonly kind: 'ended';
      readonly line: SentLine;
      readonly end?: LineEnd;
      readonly error?: {
        readonly code: string;
        readonly message: string;
        readonly hint?: string;
      };
    }
  | {
      readonly kind: 'queue';
      readonly queue: readonly SentLine[];
    }
  | {
      readonly kind: 'session';
      readonly session: string;
      readonly why: 'new' | 'resumed';
      readonly mode: string;
    }
  | {
      readonly kind: 'mode';
      readonly mode: string;
    }
  | {
      readonly kind: 'rewound';
      readonly text: string;
    };
export interface Follower {
  readonly signal: AbortSignal;
  onEvent(event: ConversationEvent): void;
}
export interface OpenConversation {
  readonly interactive?: boolean;
  readonly resume?: string;
  readonly caller?: string;
}
export type SessionChoice =
  | {
      readonly kind: 'new';
    }
  | {
      readonly kind: 'resume';
      readonly session: string;
      readonly taken: readonly string[];
    };
export interface Conversations {
  open(options?: OpenConversation): Promise<ConversationState>;
  list(): Promise<readonly ConversationState[]>;
  state(of: string): Promise<ConversationState>;
  find(of: string): Promise<ConversationState | undefined>;
  history(of: string): Promise<readonly Entry[]>;
  follow(of: string, follower: Follower): Promise<void>;
  send(of: string, line: Line, act?: () => Promise<void>): Promise<LineEnd>;
  commands(of: string): Promise<readonly SlashCommand[]>;
  complete(of: string, line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
  unqueue(of: string, line?: string): Promise<readonly SentLine[]>;
  stop(of: string): Promise<boolean>;
  begin(of: string): Promise<ConversationState>;
  resume(of: string, session: string): Promise<ConversationState>;
  setMode(of: string, mode: string): Promise<ConversationState>;
  nextMode(of: string): Promise<ConversationState>;
  setModel(of: string, name: string): Promise<void>;
  setThoughtLevel(of: string, level: string): Promise<void>;
  addDirectories(of: string, paths: readonly string[]): Promise<AddResult>;
  rewind(
    of: string,
    prompt: string,
  ): Promise<{
    readonly text: string;
  }>;
  close(of: string): Promise<void>;
  choice(session: string): Promise<SessionChoice | undefined>;
  session(of: string): Promise<Session>;
}
