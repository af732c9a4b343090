import type { Confirmation, FormReply, SentForm, SentNotice } from '@gemini-kernel/kernel';
import type { Question } from '@gemini-kernel/kernel/host';
type Table = Readonly<Record<string, unknown>>;
export type ClientRequest =
  | {
      readonly method: 'elicitation/create' | 'sampling/createMessage';
      readonly params: Table;
    }
  | {
      readonly method: 'roots/list';
    };
export interface ClientCapabilities {
  readonly elicitation?: Table;
  readonly sampling?: Table;
  readonly roots?: Table;
  readonly extensions?: Readonly<Record<string, Table>>;
}
export interface McpClient {
  capabilities(request: string): Promise<ClientCapabilities | null>;
  require(request: string, capabilities: ClientCapabilities): Promise<void>;
  send(request: string, requests: Readonly<Record<string, ClientRequest>>): Promise<Readonly<Record<string, Table>>>;
}
export interface LiveClient {
  readonly capabilities: ClientCapabilities;
  require(capabilities: ClientCapabilities): void;
  send(requests: Readonly<Record<string, ClientRequest>>): Promise<Readonly<Record<string, Table>>>;
}
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  show(notice: SentNotice): Promise<boolean>;
  listsChanged(source: string): void;
  clientOf(request: string): LiveClient | undefined;
}
export interface McpClients {
  attach(session: string, person: ClientPerson): Promise<() => void>;
  find(session: string): Promise<ClientPerson | undefined>;
}
export type ServedContent =
  | {
      readonly type: 'text';
      readonly text: string;
    }
  | {
      readonly type: 'image' | 'audio';
      readonly mimeType: string;
      readonly data: string;
    }
  | {
      readonly type: 'resource';
      readonly resource: ServedResource;
    };
export type ServedResource = {
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | {
      readonly text: string;
    }
  | {
      readonly blob: string;
    }
);
export interface ServedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}
export interface PromptSource {
  list(): Promise<readonly ServedPrompt[]>;
  get(
    name: string,
    values: Readonly<Record<string, string>>,
    request?: string,
  ): Promise<
    readonly {
      readonly role: 'user' | 'assistant';
      readonly content: ServedContent;
    }[]
  >;
  complete(name: string, argument: string, typed: string): Promise<readonly string[]>;
}
export interface ResourceSource {
  list(): Promise<{
    readonly resources: readonly {
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    }[];
    readonly templates: readonly {
      readonly uriTemplate: string;
      readonly name: string;
      readonly mimeType?: string;
    }[];
  }>;
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
export {};
