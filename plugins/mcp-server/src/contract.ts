import type {Confirmation, FormReply, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';

/** The person behind an MCP client. For use within this process. */
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  /** Sends a notice to the client; false when no request of it is under way. */
  show(notice: SentNotice): Promise<boolean>;
  /** What this source lists has changed. */
  listsChanged(source: string): void;
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
  get(
    name: string,
    values: Readonly<Record<string, string>>,
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
    [prompts: `mcp-prompts:${string}`]: PromptSource;
    [resources: `mcp-resources:${string}`]: ResourceSource;
  }
}
