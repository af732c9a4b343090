import type { Confirmation, FormReply, SentForm } from '@gemini-kernel/kernel';
import type { Question } from '@gemini-kernel/kernel/host';
export interface ClientPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
}
export interface McpClients {
  attach(session: string, person: ClientPerson): Promise<() => void>;
  find(session: string): Promise<ClientPerson | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'mcp-clients': McpClients;
  }
}
