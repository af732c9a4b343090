export interface RunResult {
  readonly session_id: string;
  readonly status: 'success' | 'error';
  readonly outcome: 'done' | 'limit' | 'loop' | 'refused' | 'interrupted' | 'invalid' | 'failed';
  readonly structured?: unknown;
  readonly usage?: Readonly<Record<UsageCount, number>>;
  readonly cost?: number;
  readonly changed_files?: readonly string[];
  readonly refused?: readonly RefusedUse[];
  readonly warnings?: readonly string[];
  readonly error?: RunError;
  readonly stats?: Readonly<Record<string, unknown>>;
}
type UsageCount =
  'requests' | 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'thought_tokens' | 'tool_tokens' | 'total_tokens';
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
  readonly exit: number;
  readonly status?: number;
}
export type StreamEventBody =
  | {
      readonly type: 'init';
      readonly session_id: string;
      readonly model: string;
    }
  | {
      readonly type: 'message';
      readonly role: 'user';
      readonly content: string;
    }
  | {
      readonly type: 'message';
      readonly role: 'assistant';
      readonly content: string;
      readonly delta: true;
    }
  | {
      readonly type: 'tool_use';
      readonly tool_name: string;
      readonly tool_id: string;
      readonly parameters: unknown;
    }
  | {
      readonly type: 'tool_result';
      readonly tool_id: string;
      readonly status: 'success' | 'error';
      readonly output: string;
      readonly error?: {
        readonly type: string;
        readonly message: string;
      };
    }
  | {
      readonly type: 'error';
      readonly severity: 'warning' | 'error';
      readonly code?: string;
      readonly message: string;
    }
  | {
      readonly type: 'agent_event';
      readonly tool_id: string;
      readonly agent: string;
      readonly session_id: string;
      readonly event: StreamEventBody;
    }
  | ({
      readonly type: 'result';
    } & RunResult);
export type StreamEvent = {
  readonly timestamp: string;
} & StreamEventBody;
export {};
