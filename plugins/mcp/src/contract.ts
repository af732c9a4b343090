import type {Form, FormAnswer, Part, Progress, SourcedTool, ToolResult} from '@gemini-kernel/kernel';
import type {SideAnswer, SideRequest} from '@gemini-kernel/plugin-agent/contract';

/** Why a configured server is not used. */
export type LeftOutReason =
  'invalid' | 'admin' | 'not-allowed' | 'excluded' | 'disabled' | 'untrusted' | 'disabled-in-session';

/** Where the configuration of a server comes from. */
export interface ServerOrigin {
  /** A layer of settings, or `admin` for servers that the administrator requires. */
  readonly layer: string;
  readonly source?: string;
}

/** A configured server, as lists show it: without its variables and headers. */
export interface ServerInfo {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'http-or-sse' | 'none';
  /** The command line, or the address without its password and query. */
  readonly target: string;
  readonly origin: ServerOrigin;
  readonly description?: string;
  /** Whether its tools run without a question. */
  readonly isTrusted: boolean;
  readonly leftOut?: {readonly reason: LeftOutReason; readonly sentence: string};
  /** What it offered when it was last connected. */
  readonly remembered?: {readonly tools: number; readonly at: string; readonly server?: string};
}

/** A prompt that a server offers. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {readonly name: string; readonly description?: string; readonly isRequired: boolean}[];
}

/** A resource that a server lists, or a template of many. */
export interface ServerResource {
  readonly server: string;
  /** Its address; with `{names}` to fill in for a template. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly isTemplate: boolean;
}

/** One step of a test. */
export interface CheckStep {
  /** `program`: what is to be started; `address`: what is to be reached. */
  readonly step: 'configuration' | 'program' | 'address' | 'start' | 'handshake' | 'authorization' | 'tools';
  readonly ok: boolean;
  readonly ms: number;
  readonly detail: string;
  readonly hint?: string;
}

/** What a test of one server found. */
export interface ServerCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly steps: readonly CheckStep[];
  readonly tools: readonly {readonly name: string; readonly description: string}[];
}

/** What a session gives the servers of its place. For use within this process. */
export interface ServerGuest {
  readonly session: string;
  roots(): Promise<readonly string[]>;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
  /** Asks the model of the session, for a server. */
  sample(request: SideRequest, signal: AbortSignal): Promise<SideAnswer>;
  /** The tools are no longer those that were listed. */
  changed(): void;
}

/** How code in this process follows a call. */
export interface CallWatch {
  readonly session: string;
  readonly signal: AbortSignal;
  progress(update: Progress): void;
  /** Keeps a text that is too long for the model in a file that tools of the session can read, and gives its path. */
  keep?(text: string): Promise<string>;
  /** The place of the call in a trace, as W3C Trace Context writes it. */
  readonly traceparent?: string | undefined;
}

/** A login at a server, without its tokens. */
export interface LoginState {
  readonly name: string;
  readonly address: string;
  readonly scope?: string;
  readonly expiresAt?: string;
}

/** How a login reaches the person. For use within this process. */
export interface LoginDesk {
  readonly signal: AbortSignal;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
}

/** A login at an address that is not an MCP server. */
export interface OtherLogin {
  /** What is there, as messages name it: `the agent "terms"`. */
  readonly subject: string;
  /** Tokens are kept by it, and sent to its origin only. */
  readonly address: string;
  /** The command with which a person logs in. */
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
    | {readonly kind: 'google'; readonly scopes?: readonly string[]};
}

/** Logins as those at MCP servers, for other plugins, with a store of their own. For use within this process. */
export interface OtherLogins {
  /** Sends a request with its token, which is renewed when it is refused. Throws ToolError LOGIN_NEEDED. */
  send(login: OtherLogin, url: string, init: RequestInit): Promise<Response>;
  /** Has the person log in. Throws KernelError LOGIN_FAILED. */
  logIn(login: OtherLogin, desk: LoginDesk): Promise<Omit<LoginState, 'name'>>;
  /** Forgets the login; false when there was none. */
  logOut(login: OtherLogin): Promise<boolean>;
}

/** An argument that is being typed. */
export interface Completion {
  readonly prompt: string;
  readonly argument: string;
  readonly prefix: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The MCP servers of a place. */
export interface Mcp {
  list(): Promise<readonly ServerInfo[]>;
  /** Connects to one server, whether or not it is in use, and says step by step how far it came. */
  check(name: string): Promise<ServerCheck>;
  /** What one server wrote to its log, the newest last. Throws KernelError MCP_SERVER_UNKNOWN. */
  log(name: string): Promise<string>;
  /** Has the person log in. Throws KernelError MCP_LOGIN_FAILED, MCP_SERVER_INVALID or MCP_SERVER_UNKNOWN. */
  login(name: string, desk: LoginDesk): Promise<LoginState>;
  /** Forgets the login at a server; false when there was none. */
  logout(name: string): Promise<boolean>;
  /** What servers say about how to use them. */
  instructions(): Promise<readonly {readonly server: string; readonly text: string}[]>;
  /** The prompts of all servers in use. */
  prompts(): Promise<readonly ServerPrompt[]>;
  /** All messages of a prompt, in order. Throws as `run` does, and KernelError MCP_SERVER_UNKNOWN. */
  prompt(
    server: string,
    name: string,
    values: Readonly<Record<string, string>>,
    watch: CallWatch,
  ): Promise<readonly Part[]>;
  /** The resources of all servers in use. */
  resources(): Promise<readonly ServerResource[]>;
  /** Reads a resource of a server; without one, of the server that lists it. Throws as `run` does. */
  resource(from: {readonly server?: string; readonly uri: string}, watch: CallWatch): Promise<ToolResult>;
  /** Resources that changed since the session read them. */
  stale(session: string): Promise<readonly {readonly server: string; readonly uri: string}[]>;
  /** Values for an argument of a prompt, or a name in a template, that begin with what is typed. */
  complete(server: string, wish: Completion, signal: AbortSignal): Promise<readonly string[]>;
  /** Calls back when the lists of servers have changed, until it is called off. */
  follow(changed: () => void): () => void;
  /** Uses a server again, or no longer, until the program ends. */
  switch(name: string, isOn: boolean): Promise<void>;
  /** Forgets connections and what is remembered of servers, and reads their configuration again. */
  reload(): Promise<void>;
  /** The workspace has other directories. */
  rootsChanged(): Promise<void>;
  /** The tools of all servers in use. Those that were never seen are connected first. */
  tools(): Promise<readonly SourcedTool[]>;
  /** Throws ToolError MCP_TOOL_GONE, MCP_SERVER_UNAVAILABLE, MCP_CALL_FAILED or MCP_TIMEOUT. */
  run(tool: string, input: unknown, watch: CallWatch): Promise<ToolResult>;
  /** A session takes part until it is called off. */
  attach(guest: ServerGuest): () => void;
}

/** Which tools of servers the model of a session is given, where there are too many to list. */
export interface McpChoice {
  /** Names of tools that were found. */
  chosen(): Promise<readonly string[]>;
  /** The tools that a query describes best; they are available from then on. */
  find(query: string): Promise<readonly SourcedTool[]>;
  /** Whether there are more tools than `mcp.toolLimit`. */
  isNeeded(): Promise<boolean>;
}

/** An MCP server that another plugin brings. */
export interface SourcedServer {
  readonly name: string;
  /** The name of what brings it, such as an extension. */
  readonly from: string;
  /** What brings it, as messages name it; an extension unless given. */
  readonly source?: string;
  /** An entry of `mcpServers`; `trust` and `sampling` do not count. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** The service `mcp-servers:<owner>`. An entry of the same name in the settings adds to the server. */
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
