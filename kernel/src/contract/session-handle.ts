import type {CallOptions, CallRequest, ToolInfo, ToolOutcome} from './call.js';
import type {Environment} from './environment.js';
import type {Form, FormAnswer} from './form.js';
import type {ServiceName, Services} from './registry.js';
import type {SessionInfo} from './session.js';
import type {ToolCall} from './tool-call.js';

/** Whether one guard of `tool:judge` refuses what it must. */
export interface GuardReport {
  readonly plugin: string;
  /** `unproven`: it declares no probe; `down`: it failed, or let its probe pass. */
  readonly state: 'proven' | 'unproven' | 'down';
  readonly reason: string;
}

/** What a host or a command holds of one conversation. */
export interface Session {
  readonly info: SessionInfo;
  /** For hosts and commands, which act for the plugin `as`. */
  service<N extends ServiceName>(name: N, as?: string): Promise<Services[N]>;
  call(request: CallRequest, options?: CallOptions): Promise<ToolOutcome>;
  /** The call that a request would become. Nothing is judged or run. */
  describe(request: CallRequest): Promise<ToolCall>;
  /** Every tool there is now, by name. */
  tools(): Promise<readonly ToolInfo[]>;
  /** The tools that a model is given: all but those that listeners of `tools:offer` leave out. */
  offered(): Promise<readonly ToolInfo[]>;
  /** The tools that are not offered, each with the first plugin that leaves it out. */
  leftOut(): Promise<readonly {readonly tool: string; readonly plugin: string}[]>;
  /** Changes what may run without a question. Throws what a listener of `session:mode` throws, and changes nothing. */
  setMode(mode: string): Promise<void>;
  /** Asks the person. Rejects with the reason of the signal. */
  ask(form: Form, options?: {readonly signal?: AbortSignal}): Promise<FormAnswer>;
  /** Whether the guards of `tool:judge` refuse what they must. */
  guards(): Promise<readonly GuardReport[]>;
  /**
   * Begins the session and tells listeners of `session:open`; warns of guards that are down. A single command has no
   * need of it.
   */
  announce(): Promise<void>;
  /** Tells listeners of `session:close` if they heard of the opening, then disposes the session's services. */
  close(): Promise<void>;
}

/** What tells one place from another; what is not given is as the program was started. */
export type PlaceOptions = Partial<Pick<Environment, 'cwd' | 'variables' | 'flags'>>;

export interface OpenOptions extends PlaceOptions {
  readonly mode?: string;
  readonly live?: boolean;
  readonly interactive?: boolean;
  /** The session that opens this one. It is in the same place, ends with it, and may not be allowed more. */
  readonly parent?: Session;
  /** The agent that works in it. With it, questions and notices reach the person of the session above. */
  readonly subagent?: string;
  /** The other program that it works for; with a session above, that one's counts. */
  readonly caller?: string;
}
