import type {Owned, ToolEntry} from './manifest.js';
import type {ApprovalChoice} from './moments/tool-choices.js';
import type {Confirmation} from './moments/tool-confirm.js';
import type {Preview, Progress, ToolCall, ToolResult} from './tool-call.js';

export interface CallRequest {
  readonly tool: string;
  readonly input: unknown;
  /** Given by the model, or made here. */
  readonly id?: string;
  /** Who calls, when it is not the main agent. Only plugins of the product name another than that of the session. */
  readonly subagent?: string;
}

export interface Question {
  readonly call: ToolCall;
  readonly preview: Preview | undefined;
  readonly reason: string;
  /** Every answer, from yes to no, and what it keeps. Offer those that are not `unavailable`. */
  readonly choices: readonly ApprovalChoice[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A person asked for exactly this call: a rule that asks lets it run, one that denies does not. */
  readonly asker?: 'person';
  readonly onProgress?: (update: Progress) => void;
  /** Answers for the caller of the session, when no listener of `tool:confirm` did. */
  readonly confirm?: (question: Question) => Promise<Confirmation>;
}

/** How a call ended. Only an abort (its reason, unwrapped) makes the call itself throw. */
export type ToolOutcome = {readonly callId: string; readonly ms: number} &
  /** `confirmed`: a person said yes, to the input as it was or to one they edited. */
  (
    | {readonly status: 'done'; readonly result: ToolResult; readonly confirmed?: 'given' | 'edited'}
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
    | {readonly status: 'refused'; readonly reason: string; readonly by: string | undefined}
  );

/** A tool as lists show it. */
export type ToolInfo = Omit<Owned<ToolEntry>, 'module'> & {
  readonly server?: string;
  /** The plugin of the product whose tool it stands in for. */
  readonly replaces?: string;
};

/** The tools of a session, for services and tools that act in it. Every call takes the one path. */
export interface SessionTools {
  /** Only the host answers for a person, and only plugins of the product make calls that a person asked for. */
  call(request: CallRequest, options?: Omit<CallOptions, 'confirm'>): Promise<ToolOutcome>;
  /** What a model is given. */
  offered(): Promise<readonly ToolInfo[]>;
}
