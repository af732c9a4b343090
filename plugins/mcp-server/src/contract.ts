import type {Confirmation, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';

/** The person behind an MCP client. For use within this process. */
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
}

/** Which sessions are served to MCP clients, and who answers in them. */
export interface McpClients {
  /** The person of a session until it is called off. */
  attach(session: string, person: ClientPerson): Promise<() => void>;
  /** Undefined in a session that is not served. */
  find(session: string): Promise<ClientPerson | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'mcp-clients': McpClients;
  }
}
