import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';

type Table = Readonly<Record<string, unknown>>;

/** A request to an MCP client, in the words of the protocol. */
export type ClientRequest =
  | {readonly method: 'elicitation/create' | 'sampling/createMessage'; readonly params: Table}
  | {readonly method: 'roots/list'};

/** What an MCP client declares, in the words of the protocol. */
export interface ClientCapabilities {
  readonly elicitation?: Table;
  readonly sampling?: Table;
  readonly roots?: Table;
  readonly extensions?: Readonly<Record<string, Table>>;
}

/**
 * The service `mcp-client` of a session: what the MCP client offers whose request is under way, for tools and prompts
 * that need more than a form. `request` is the id of the call, or the one that a prompt was asked for with.
 */
export interface McpClient {
  /** What the client declares; null for a call that does not come from an MCP client. */
  capabilities(request: string): Promise<ClientCapabilities | null>;
  /** Throws KernelError MCP_CLIENT_LACKS unless the client declares all of it. */
  require(request: string, capabilities: ClientCapabilities): Promise<void>;
  /**
   * Sends all requests at once and gives the result of each by the same name. A question to the person names the tool
   * that asks. Throws KernelError MCP_CLIENT_LACKS when the client does not declare what one of them needs, and
   * MCP_CLIENT_FAILED when it refuses one.
   */
  send(request: string, requests: Readonly<Record<string, ClientRequest>>): Promise<Readonly<Record<string, Table>>>;
}

/** The client of one request, while that is under way. For use within this process. */
export interface LiveClient {
  readonly capabilities: ClientCapabilities;
  /** Throws KernelError MCP_CLIENT_LACKS unless the client declares all of it. */
  require(capabilities: ClientCapabilities): void;
  send(requests: Readonly<Record<string, ClientRequest>>): Promise<Readonly<Record<string, Table>>>;
}

/** The person behind an MCP client. For use within this process. */
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  /** Sends a notice to the client; false when no request of it is under way. */
  show(notice: SentNotice): Promise<boolean>;
  /** What this source lists has changed. */
  listsChanged(source: string): void;
  /** The client of a request that is under way; undefined when there is none of this id. */
  clientOf(request: string): LiveClient | undefined;
}

/** Which sessions are served to MCP clients, and who answers in them. */
export interface McpClients {
  /** The person of a session until it is called off. */
  attach(session: string, person: ClientPerson): Promise<() => void>;
  /** Undefined in a session that is not served. */
  find(session: string): Promise<ClientPerson | undefined>;
}

/** A piece of a prompt, in the words of the protocol. */
export type ServedContent =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string}
  | {readonly type: 'resource'; readonly resource: ServedResource};

/** The content of a resource: a text, or bytes in Base64. */
export type ServedResource = {readonly uri: string; readonly mimeType?: string} & (
  {readonly text: string} | {readonly blob: string}
);

/** A prompt that clients offer to their person. */
export interface ServedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly {readonly name: string; readonly description?: string; readonly required?: boolean}[];
}

/** The service `mcp-prompts:<owner>` of a session: prompts for MCP clients. Names of others are not its own. */
export interface PromptSource {
  list(): Promise<readonly ServedPrompt[]>;
  /** `request` is for the service `mcp-client`. */
  get(
    name: string,
    values: Readonly<Record<string, string>>,
    request?: string,
  ): Promise<readonly {readonly role: 'user' | 'assistant'; readonly content: ServedContent}[]>;
  /** Values of an argument that begin with what was typed. */
  complete(name: string, argument: string, typed: string): Promise<readonly string[]>;
}

/** The service `mcp-resources:<owner>` of a session: resources for MCP clients, beside the files. */
export interface ResourceSource {
  list(): Promise<{
    readonly resources: readonly {readonly uri: string; readonly name: string; readonly mimeType?: string}[];
    readonly templates: readonly {readonly uriTemplate: string; readonly name: string; readonly mimeType?: string}[];
  }>;
  /** Null for an address that is not one of its own. */
  read(uri: string): Promise<ServedResource | null>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'mcp-clients': McpClients;
    'mcp-client': McpClient;
    [prompts: `mcp-prompts:${string}`]: PromptSource;
    [resources: `mcp-resources:${string}`]: ResourceSource;
  }
}
