import type {EndedCall, ToolCall, ToolResult, Verdict} from '@gemini-kernel/kernel';
import type {FinishedTurn, ModelEvent, OutgoingRequest} from '@gemini-kernel/plugin-agent/contract';

/** An event that hooks can be configured for. */
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

/** Why a configured hook does not run. */
export type LeftOutReason = 'off' | 'disabled' | 'untrusted' | 'unacknowledged' | 'invalid';

/** An event that a hook declares, and what it must decide about it. JSON. */
export interface HookProbe {
  /** Of the made call, for BeforeTool and AfterTool. */
  readonly tool?: string;
  /** The arguments of the call, or the fields of another event. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `allow`: it neither refuses nor has the person asked. */
  readonly decision: 'deny' | 'ask' | 'allow';
}

/** A configured hook. JSON. */
export interface HookInfo {
  /** Made of its content: another command is another id. */
  readonly id: string;
  readonly event: string;
  /** As configured, else the command. */
  readonly name: string;
  readonly command: string;
  readonly description?: string;
  readonly matcher?: string;
  readonly sequential: boolean;
  readonly timeoutMs: number;
  /** What counts if it does not answer properly: `closed` stops what it is asked about, `open` continues. */
  readonly failure: 'open' | 'closed';
  /** `claude`: it reads and writes the JSON of Claude Code. */
  readonly shape: 'gemini' | 'claude';
  /** The layer of the settings, or `extension`. */
  readonly layer: string;
  /** The file, or the owner of the extension. */
  readonly source?: string;
  /** What shows that it works; `probeFault` if what is declared is not a probe, as the end of a sentence. */
  readonly probe?: HookProbe;
  readonly probeFault?: string;
  readonly leftOut?: {readonly reason: LeftOutReason; readonly sentence: string};
}

/** How one run of a hook ended, in the words of the table of outcomes. */
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

/** What several hooks of one event come to. JSON. */
export interface HookVerdict {
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  /** Names of the hooks that decided so. */
  readonly by: readonly string[];
  /** Whether a hook that must not fail did. */
  readonly isFailure?: true;
  /** A hook wants the agent to stop: why. */
  readonly stop?: string;
  /** Text for the model. */
  readonly context?: string;
  /** Text for the person. */
  readonly messages: readonly string[];
  /** `hookSpecificOutput` of all hooks, later ones over earlier ones. */
  readonly specific: Readonly<Record<string, unknown>>;
}

/** One run of one hook. JSON. */
export interface HookRun {
  readonly hook: string;
  readonly outcome: OutcomeName;
  readonly sentence?: string;
  readonly exitCode?: number;
  readonly ms: number;
  readonly output: string;
  /** The output is that of standard error: there was no other. */
  readonly isError?: true;
}

/** One run of one hook, as `hook:end` announces it. JSON. */
export interface EndedHook extends HookRun {
  readonly event: string;
  /** Whether the failure of a hook that must not fail stopped what it was asked about. */
  readonly isClosed: boolean;
  /** What the hook got on its standard input, before it was shaped for another program. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A made event, and what hooks made of it. */
export interface HookTrial {
  readonly runs: readonly HookRun[];
  readonly verdict: HookVerdict;
}

/** Hooks as an extension brings them: the content of its `hooks.json`. JSON. */
export interface SourcedHooks {
  /** Of the extension. */
  readonly owner: string;
  /** By event, as in settings. */
  readonly hooks: Readonly<Record<string, unknown>>;
  /** More variables for its processes, such as the settings of the extension. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether a failure of its hooks stops what they are asked about, as for those of an administrator. */
  readonly isManaged?: boolean;
}

/**
 * The service `hook-sources:<owner>`: hooks that exist only at run time, such as those of extensions. They run after
 * those of the settings. The list is kept until the source calls `changed()` of its context.
 */
export interface HookSource {
  list(): Promise<readonly SourcedHooks[]>;
}

/** The hooks of one session. The methods named after moments answer what a listener of the moment answers. */
export interface Hooks {
  list(): Promise<readonly HookInfo[]>;
  /** Reads the configuration again before the next event. */
  reload(): Promise<void>;
  /** Runs one hook on a made event. Throws KernelError HOOK_UNKNOWN, or HOOK_UNTRUSTED for one that must not run. */
  test(id: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<HookTrial>;
  /** Acknowledges hooks of the project, as they are now. Throws KernelError HOOK_UNKNOWN or HOOK_UNTRUSTED. */
  trust(ids: readonly string[]): Promise<{readonly file: string; readonly trusted: readonly HookInfo[]}>;
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
    'hook:end': {kind: 'notify'; payload: EndedHook};
  }
  interface Services {
    hooks: Hooks;
    [source: `hook-sources:${string}`]: HookSource;
  }
}
