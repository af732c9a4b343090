import type { Form, FormAnswer, Progress, SourcedTool, ToolResult } from '@gemini-kernel/kernel';
export type LeftOutReason =
  'invalid' | 'admin' | 'not-allowed' | 'excluded' | 'disabled' | 'untrusted' | 'disabled-in-session';
export interface ServerOrigin {
  readonly layer: string;
  readonly source?: string;
}
export interface ServerInfo {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'http-or-sse' | 'none';
  readonly target: string;
  readonly origin: ServerOrigin;
  readonly description?: string;
  readonly isTrusted: boolean;
  readonly leftOut?: {
    readonly reason: LeftOutReason;
    readonly sentence: string;
  };
  readonly remembered?: {
    readonly tools: number;
    readonly at: string;
    readonly server?: string;
  };
}
export interface CheckStep {
  readonly step: 'configuration' | 'connection' | 'tools';
  readonly ok: boolean;
  readonly ms: number;
  readonly detail: string;
  readonly hint?: string;
}
export interface ServerCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly steps: readonly CheckStep[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
  }[];
}
export interface ServerGuest {
  readonly session: string;
  roots(): Promise<readonly string[]>;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
  changed(): void;
}
export interface CallWatch {
  readonly session: string;
  readonly signal: AbortSignal;
  progress(update: Progress): void;
}
export interface LoginState {
  readonly name: string;
  readonly address: string;
  readonly scope?: string;
  readonly expiresAt?: string;
}
export interface LoginDesk {
  readonly signal: AbortSignal;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
}
export interface Mcp {
  list(): Promise<readonly ServerInfo[]>;
  check(name: string): Promise<ServerCheck>;
  log(name: string): Promise<string>;
  login(name: string, desk: LoginDesk): Promise<LoginState>;
  logout(name: string): Promise<boolean>;
  switch(name: string, isOn: boolean): Promise<void>;
  reload(): Promise<void>;
  rootsChanged(): Promise<void>;
  tools(): Promise<readonly SourcedTool[]>;
  run(tool: string, input: unknown, watch: CallWatch): Promise<ToolResult>;
  attach(guest: ServerGuest): () => void;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    mcp: Mcp;
  }
}
