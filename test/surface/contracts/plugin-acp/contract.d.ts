import type { Confirmation, FormReply, SentForm, SentNotice, ToolCall, ToolResult } from '@gemini-kernel/kernel';
import type { Question } from '@gemini-kernel/kernel/host';
import type { SourcedServer } from '@gemini-kernel/plugin-mcp/contract';
export interface ShownCall {
  end(result?: ToolResult): Promise<void>;
}
export interface EditorPerson {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  show(notice: SentNotice): Promise<boolean>;
  run(call: ToolCall): Promise<ShownCall>;
  listsChanged(source: string): void;
}
export interface AcpClients {
  attach(session: string, person: EditorPerson): Promise<() => void>;
  find(session: string): Promise<EditorPerson | undefined>;
  keep(servers: readonly SourcedServer[]): Promise<string>;
  servers(key: string): Promise<readonly SourcedServer[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'acp-clients': AcpClients;
  }
}
