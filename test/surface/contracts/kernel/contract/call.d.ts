import type { Owned, ToolEntry } from './manifest.js';
import type { ApprovalChoice } from './moments/tool-choices.js';
import type { Confirmation } from './moments/tool-confirm.js';
import type { Preview, Progress, ToolCall, ToolResult } from './tool-call.js';
export interface CallRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly id?: string;
  readonly subagent?: string;
}
export interface Question {
  readonly call: ToolCall;
  readonly preview: Preview | undefined;
  readonly reason: string;
  readonly choices: readonly ApprovalChoice[];
}
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly asker?: 'person';
  readonly onProgress?: (update: Progress) => void;
  readonly confirm?: (question: Question) => Promise<Confirmation>;
}
export type ToolOutcome = {
  readonly callId: string;
  readonly ms: number;
} & (
  | {
      readonly status: 'done';
      readonly result: ToolResult;
      readonly confirmed?: 'given' | 'edited';
    }
  | {
      readonly status: 'failed';
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly hint?: string;
        readonly model?: string;
        readonly cause?: unknown;
      };
    }
  | {
      readonly status: 'refused';
      readonly reason: string;
      readonly by: string | undefined;
    }
);
export type ToolInfo = Omit<Owned<ToolEntry>, 'module'> & {
  readonly server?: string;
  readonly replaces?: string;
};
export interface SessionTools {
  call(request: CallRequest, options?: Omit<CallOptions, 'confirm'>): Promise<ToolOutcome>;
  offered(): Promise<readonly ToolInfo[]>;
}
