import type {Core} from '../hooks/core.js';
import type {Dispatch, Stage} from '../hooks/dispatch.js';
import type {Turn, WriteOrder} from '../scopes/write-order.js';
import type {CallOptions, CallRequest, ToolInfo, ToolOutcome} from '../contract/call.js';
import type {RunningCalls} from './running-calls.js';
import type {Listing} from './sources.js';

/** Who makes a call: the services that it came through, or the running call that it belongs to. */
export interface Caller {
  readonly services: readonly string[];
  readonly turn?: Turn | undefined;
}

/** What the calls of one session go through. */
export interface CallPath extends Core {
  readonly stage: Stage;
  /** Where the person is who answers for the session. */
  readonly person: Stage;
  /** What a service is called among those of all scopes. */
  keyOf(service: string): string;
  /** Settles how the session starts out, once. Throws when it may not begin. */
  begin(): Promise<void>;
  readonly dispatch: Dispatch;
  listing(signal: AbortSignal | undefined): Promise<Listing>;
  nextId(tool: string): string;
  readonly running: RunningCalls;
  /** Of the place that the session is in. */
  readonly order: WriteOrder;
  call(request: CallRequest, options: CallOptions, caller: Caller): Promise<ToolOutcome>;
  offered(): Promise<readonly ToolInfo[]>;
}
