/** How a run ended, as the event `result` says it. */
export interface RunResult {
  /** For resuming; empty when no session had begun. */
  readonly session_id: string;
  readonly status: 'success' | 'error';
  readonly outcome: 'done' | 'limit' | 'loop' | 'refused' | 'interrupted' | 'invalid' | 'failed';
  /** The answer as a value, where a schema was given. */
  readonly structured?: unknown;
  /** Absent where the run could not start. */
  readonly usage?: Readonly<Record<UsageCount, number>>;
  /** US dollars, where every price is known. */
  readonly cost?: number;
  /** Relative to the directory of the run; absolute outside of it. */
  readonly changed_files?: readonly string[];
  readonly refused?: readonly RefusedUse[];
  readonly warnings?: readonly string[];
  readonly error?: RunError;
  readonly stats?: Readonly<Record<string, unknown>>;
}

type UsageCount =
  'requests' | 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'thought_tokens' | 'tool_tokens' | 'total_tokens';

/** A call that was refused. */
export interface RefusedUse {
  readonly tool_name: string;
  readonly tool_id: string;
  readonly parameters: unknown;
  readonly reason: string;
}

export interface RunError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The exit code that the program would end with. */
  readonly exit: number;
  /** HTTP status that a server answered with. */
  readonly status?: number;
}

/** What an event of a run says, without its time. */
export type StreamEventBody =
  | {readonly type: 'init'; readonly session_id: string; readonly model: string}
  | {readonly type: 'message'; readonly role: 'user'; readonly content: string}
  /** A part of the answer. */
  | {readonly type: 'message'; readonly role: 'assistant'; readonly content: string; readonly delta: true}
  | {readonly type: 'tool_use'; readonly tool_name: string; readonly tool_id: string; readonly parameters: unknown}
  | {
      readonly type: 'tool_result';
      readonly tool_id: string;
      readonly status: 'success' | 'error';
      readonly output: string;
      readonly error?: {readonly type: string; readonly message: string};
    }
  | {
      readonly type: 'error';
      readonly severity: 'warning' | 'error';
      /** Of a notice. */
      readonly code?: string;
      readonly message: string;
    }
  | {
      readonly type: 'agent_event';
      /** The call that started the agent. */
      readonly tool_id: string;
      readonly agent: string;
      readonly session_id: string;
      readonly event: StreamEventBody;
    }
  | ({readonly type: 'result'} & RunResult);

/** An event of `stream-json`; `timestamp` is ISO. The last one is `result`. */
export type StreamEvent = {readonly timestamp: string} & StreamEventBody;
