import type { Form, FormAnswer, Part, Progress, SourcedTool, ToolResult } from '@gemini-kernel/kernel';
import type { SideAnswer, SideRequest } from '@gemini-kernel/plugin-agent/contract';
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
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly isRequired: boolean;
  }[];
}
export interface ServerResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly isTemplate: boolean;
}
export interface CheckStep {
  readonly step: 'configuration' | 'program' | 'address' | 'start' | 'handshake' | 'authorization' | 'tools';
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
  sample(request: SideRequest, signal: AbortSignal): Promise<SideAnswer>;
  changed(): void;
}
export interface CallWatch {
  readonly session: string;
  readonly signal: AbortSignal;
  progress(update: Progress): void;
  keep?(text: string): Promise<string>;
  readonly traceparent?: string | undefined;
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
export interface OtherLogin {
  readonly subject: string;
  readonly address: string;
  readonly command: string;
  readonly auth:
    | {
        readonly kind: 'oauth';
        readonly clientId?: string;
        readonly clientSecret?: string;
        readonly authorizationUrl?: string;
        readonly tokenUrl?: string;
        readonly scopes?: readonly string[];
      }
    | {
        readonly kind: 'google';
        readonly scopes?: readonly string[];
      };
}
export interface OtherLogins {
  send(login: OtherLogin, url: string, init: RequestInit): Promise<Response>;
  logIn(login: OtherLogin, desk: LoginDesk): Promise<Omit<LoginState, 'name'>>;
  logOut(login: OtherLogin): Promise<boolean>;
}
export interface Completion {
  readonly prompt: string;
  readonly argument: string;
  readonly prefix: string;
  readonly values: Readonly<Record<string, string>>;
}
export interface Mcp {
  list(): Promise<readonly ServerInfo[]>;
  check(name: string): Promise<ServerCheck>;
  log(name: string): Promise<string>;
  login(name: string, desk: LoginDesk): Promise<LoginState>;
  logout(name: string): Promise<boolean>;
  instructions(): Promise<
    readonly {
      readonly server: string;
      readonly text: string;
    }[]
  >;
  prompts(): Promise<readonly ServerPrompt[]>;
  prompt(
    server: string,
    name: string,
    values: Readonly<Record<string, string>>,
    watch: CallWatch,
  ): Promise<readonly Part[]>;
  resources(): Promise<readonly ServerResource[]>;
  resource(
    from: {
      readonly server?: string;
      readonly uri: string;
    },
    watch: CallWatch,
  ): Promise<ToolResult>;
  stale(session: string): Promise<
    readonly {
      readonly server: string;
      readonly uri: string;
    }[]
  >;
  complete(server: string, wish: Completion, signal: AbortSignal): Promise<readonly string[]>;
  follow(changed: () => void): () => void;
  switch(name: string, isOn: boolean): Promise<void>;
  reload(): Promise<void>;
  rootsChanged(): Promise<void>;
  tools(): Promise<readonly SourcedTool[]>;
  run(tool: string, input: unknown, watch: CallWatch): Promise<ToolResult>;
  attach(guest: ServerGuest): () => void;
}
export interface McpChoice {
  chosen(): Promise<readonly string[]>;
  find(query: string): Promise<readonly SourcedTool[]>;
  isNeeded(): Promise<boolean>;
}
export interface SourcedServer {
  readonly name: string;
  readonly from: string;
  readonly source?: string;
  readonly value: Readonly<Record<string, unknown>>;
}
export interface ServerSource {
  list(): Promise<readonly SourcedServer[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    [servers: `mcp-servers:${string}`]: ServerSource;
    mcp: Mcp;
    'mcp-choice': McpChoice;
    'other-logins': OtherLogins;
  }
}
