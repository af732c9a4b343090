import type { CurrentModel } from './current-model.js';
import type { Part, Progress } from '@gemini-kernel/kernel';
import type { PieceSizes, RequestFrame } from './fitting.js';
import type { Role } from './role.js';
import type { PromptPart } from './sourced.js';
import type { AgentStats, ModelStats } from './stats.js';
import type { Message, ModelFailure, SideAnswer, SideRequest, TokenUsage } from './model.js';
export interface CallRecord {
  readonly id: string;
  readonly callId?: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'done' | 'failed' | 'refused' | 'aborted';
  readonly output: readonly Part[];
  readonly display?: string;
  readonly changed?: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  readonly ms: number;
  readonly time: string;
}
export interface Entry {
  readonly id: string;
  readonly time: string;
  readonly kind: 'user' | 'model' | 'note';
  readonly message: Message;
  readonly shown?: string;
  readonly severity?: 'info' | 'warning' | 'error';
  readonly model?: string;
  readonly usage?: TokenUsage;
  readonly calls?: readonly CallRecord[];
  readonly origin?: 'person' | 'tools' | 'agent';
}
export type HistoryChange =
  | {
      readonly kind: 'put';
      readonly entry: Entry;
    }
  | {
      readonly kind: 'replace';
      readonly entries: readonly Entry[];
      readonly why: 'start' | 'compressed';
    }
  | {
      readonly kind: 'rewind';
      readonly to: string;
    }
  | {
      readonly kind: 'settled';
    };
export interface LoadedHistory {
  readonly entries: readonly Entry[];
  readonly notice?: string;
}
export interface ContextSection {
  readonly place: 'system' | 'start' | 'prompt';
  readonly title: string;
  readonly text: string;
}
export interface FinishedTurn {
  readonly prompt: string;
  readonly text: string;
  readonly rounds: number;
}
export type AgentEvent =
  | {
      readonly kind: 'model';
      readonly model: string;
    }
  | {
      readonly kind: 'silence';
      readonly model: string;
      readonly seconds: number;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
    }
  | {
      readonly kind: 'thought';
      readonly text: string;
    }
  | {
      readonly kind: 'message';
      readonly entry: Entry;
    }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | ({
      readonly kind: 'progress';
      readonly id: string;
    } & Progress)
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly call: CallRecord;
    }
  | {
      readonly kind: 'waiting';
      readonly failure: ModelFailure;
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
    }
  | {
      readonly kind: 'fallback';
      readonly from: string;
      readonly to: string;
      readonly failure: ModelFailure;
    }
  | {
      readonly kind: 'compressed';
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly kind: 'note';
      readonly severity: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly code?: string;
    }
  | {
      readonly kind: 'usage';
      readonly model: string;
      readonly usage: TokenUsage;
    }
  | AgentsEvent;
export interface AgentsEvent {
  readonly kind: 'agent';
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  readonly event: AgentEvent;
}
export interface RefusedCall {
  readonly tool: string;
  readonly id: string;
  readonly input: unknown;
  readonly reason: string;
}
export interface TurnEnd {
  readonly status: 'done' | 'refused' | 'aborted' | 'failed' | 'limit' | 'loop' | 'invalid';
  readonly text: string;
  readonly isCut?: true;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly status?: number;
  };
  readonly warnings: readonly string[];
  readonly refused: readonly RefusedCall[];
  readonly changed: readonly string[];
  readonly structured?: unknown;
}
export interface RunLimits {
  readonly turns?: number;
  readonly cost?: number;
}
export interface Prompted {
  readonly text: string;
  readonly parts?: readonly PromptPart[];
  readonly attached?: readonly PromptPart[];
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly limits?: RunLimits;
}
export interface AgentWatch {
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}
export interface ListedProvider {
  readonly provider: string;
  readonly models: readonly string[];
  readonly failure?: ModelFailure;
}
export interface Agent {
  assume(role: Role): Promise<void>;
  send(prompt: Prompted, watch: AgentWatch): Promise<TurnEnd>;
  ask(request: SideRequest, signal: AbortSignal): Promise<SideAnswer>;
  compress(watch: AgentWatch): Promise<{
    readonly status: 'compressed' | 'nothing' | 'larger' | 'failed';
    readonly before: number;
    readonly after: number;
    readonly message?: string;
  }>;
  check(): Promise<ModelFailure | undefined>;
  history(): Promise<readonly Entry[]>;
  rewind(id: string): Promise<{
    readonly text: string;
  }>;
  clear(): Promise<void>;
  tell(done: { readonly id: string; readonly text: string; readonly shown: string }): Promise<void>;
  model(): Promise<CurrentModel>;
  setModel(name: string): Promise<void>;
  setThoughtLevel(level: string): Promise<void>;
  models(signal?: AbortSignal): Promise<readonly ListedProvider[]>;
  stats(): Promise<AgentStats>;
  charge(models: readonly ModelStats[], agent?: string): Promise<void>;
  relay(event: AgentsEvent): Promise<void>;
  measure(entries: readonly Entry[]): Promise<PieceSizes>;
  frame(): Promise<RequestFrame>;
}
