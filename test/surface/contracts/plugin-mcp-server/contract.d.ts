import type { Confirmation, FormReply, SentForm, SentNotice } from '@gemini-kernel/kernel';
import type { Question } from '@gemini-kernel/kernel/host';
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  show(notice: SentNotice): Promise<boolean>;
  listsChanged(source: string): void;
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
    [prompts: `mcp-prompts:${string}`]: PromptSource;
    [resources: `mcp-resources:${string}`]: ResourceSource;
  }
}
