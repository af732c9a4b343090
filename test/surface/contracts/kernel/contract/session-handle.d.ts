import type { CallOptions, CallRequest, ToolInfo, ToolOutcome } from './call.js';
import type { Environment } from './environment.js';
import type { Form, FormAnswer } from './form.js';
import type { ServiceName, Services } from './registry.js';
import type { SessionInfo } from './session.js';
import type { ToolCall } from './tool-call.js';
export interface GuardReport {
  readonly plugin: string;
  readonly state: 'proven' | 'unproven' | 'down';
  readonly reason: string;
}
export interface Session {
  readonly info: SessionInfo;
  service<N extends ServiceName>(name: N, as?: string): Promise<Services[N]>;
  call(request: CallRequest, options?: CallOptions): Promise<ToolOutcome>;
  describe(request: CallRequest): Promise<ToolCall>;
  tools(): Promise<readonly ToolInfo[]>;
  offered(): Promise<readonly ToolInfo[]>;
  leftOut(): Promise<
    readonly {
      readonly tool: string;
      readonly plugin: string;
    }[]
  >;
  setMode(mode: string): Promise<void>;
  ask(
    form: Form,
    options?: {
      readonly signal?: AbortSignal;
    },
  ): Promise<FormAnswer>;
  guards(): Promise<readonly GuardReport[]>;
  announce(): Promise<void>;
  close(): Promise<void>;
}
export type PlaceOptions = Partial<Pick<Environment, 'cwd' | 'variables' | 'flags'>>;
export interface OpenOptions extends PlaceOptions {
  readonly mode?: string;
  readonly live?: boolean;
  readonly interactive?: boolean;
  readonly parent?: Session;
  readonly subagent?: string;
  readonly caller?: string;
}
