import type { EndedCall, ToolCall, ToolResult, Verdict } from '@gemini-kernel/kernel';
import type { FinishedTurn, ModelEvent, OutgoingRequest } from '@gemini-kernel/plugin-agent/contract';
export type HookEvent =
  | 'BeforeTool'
  | 'AfterTool'
  | 'BeforeAgent'
  | 'AfterAgent'
  | 'BeforeModel'
  | 'AfterModel'
  | 'BeforeToolSelection'
  | 'SessionStart'
  | 'SessionEnd'
  | 'Notification'
  | 'PreCompress';
export type LeftOutReason = 'off' | 'disabled' | 'untrusted' | 'unacknowledged' | 'invalid';
export interface HookProbe {
  readonly tool?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly decision: 'deny' | 'ask' | 'allow';
}
export interface HookInfo {
  readonly id: string;
  readonly event: string;
  readonly name: string;
  readonly command: string;
  readonly description?: string;
  readonly matcher?: string;
  readonly sequential: boolean;
  readonly timeoutMs: number;
  readonly failure: 'open' | 'closed';
  readonly shape: 'gemini' | 'claude';
  readonly layer: string;
  readonly source?: string;
  readonly probe?: HookProbe;
  readonly probeFault?: string;
  readonly leftOut?: {
    readonly reason: LeftOutReason;
    readonly sentence: string;
  };
}
export type OutcomeName =
  | 'answered'
  | 'text'
  | 'silent'
  | 'warned'
  | 'refused'
  | 'mute'
  | 'unstarted'
  | 'late'
  | 'killed'
  | 'garbled'
  | 'excessive';
export interface HookVerdict {
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  readonly by: readonly string[];
  readonly isFailure?: true;
  readonly stop?: string;
  readonly context?: string;
  readonly messages: readonly string[];
  readonly specific: Readonly<Record<string, unknown>>;
}
export interface HookRun {
  readonly hook: string;
  readonly outcome: OutcomeName;
  readonly sentence?: string;
  readonly exitCode?: number;
  readonly ms: number;
  readonly output: string;
  readonly isError?: true;
}
export interface EndedHook extends HookRun {
  readonly event: string;
  readonly isClosed: boolean;
  readonly input: Readonly<Record<string, unknown>>;
}
export interface HookTrial {
  readonly runs: readonly HookRun[];
  readonly verdict: HookVerdict;
}
export interface SourcedHooks {
  readonly owner: string;
  readonly hooks: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly isManaged?: boolean;
}
export interface HookSource {
  list(): Promise<readonly SourcedHooks[]>;
}
export interface Hooks {
  list(): Promise<readonly HookInfo[]>;
  reload(): Promise<void>;
  test(id: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<HookTrial>;
  trust(ids: readonly string[]): Promise<{
    readonly file: string;
    readonly trusted: readonly HookInfo[];
  }>;
  toolInput(call: ToolCall, value: unknown, signal: AbortSignal): Promise<unknown>;
  toolJudge(call: ToolCall, signal: AbortSignal): Promise<Verdict | undefined>;
  toolResult(call: ToolCall, value: ToolResult, signal: AbortSignal): Promise<ToolResult>;
  toolEnd(ended: EndedCall): Promise<void>;
  toolConfirm(call: ToolCall, reason: string): Promise<void>;
  toolsOffer(value: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  promptSubmit(prompt: string, signal: AbortSignal): Promise<Verdict | undefined>;
  turnEnd(turn: FinishedTurn, signal: AbortSignal): Promise<Verdict | undefined>;
  modelRequest(value: OutgoingRequest, signal: AbortSignal): Promise<OutgoingRequest>;
  modelResponse(model: string, value: ModelEvent, signal: AbortSignal): Promise<ModelEvent>;
  sessionOpen(signal: AbortSignal): Promise<void>;
  sessionClose(signal: AbortSignal): Promise<void>;
  historyCompress(isAsked: boolean, signal: AbortSignal): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Moments {
    'hook:end': {
      kind: 'notify';
      payload: EndedHook;
    };
  }
  interface Services {
    hooks: Hooks;
    [source: `hook-sources:${string}`]: HookSource;
  }
}
