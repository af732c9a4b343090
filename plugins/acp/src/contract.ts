import type {Confirmation, FormReply, SentForm, SentNotice, ToolCall, ToolResult} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {SourcedServer} from '@gemini-kernel/plugin-mcp/contract';

/** Shows a call that runs. */
export interface ShownCall {
  /** Called when the call has run, with its result if there is one, before that is announced. */
  end(result?: ToolResult): Promise<void>;
}

/** The person at an editor, in one session. For use within this process. */
export interface EditorPerson {
  /** Asks whether a call may run; for the listener of `tool:confirm`. */
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  /** Shows a form; for the listener of `person:ask`. */
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
  /** Shows a notice; returns whether it did. For the listener of `session:notice`. */
  show(notice: SentNotice): Promise<boolean>;
  /** Shows that a call runs now; for the listener of `tool:run`. */
  run(call: ToolCall): Promise<ShownCall>;
  /** A source lists something else; for the listener of `sources:changed`. */
  listsChanged(source: string): void;
}

/** The sessions that editors have open over ACP, by kernel id. */
export interface AcpClients {
  attach(session: string, person: EditorPerson): Promise<() => void>;
  find(session: string): Promise<EditorPerson | undefined>;
  /** Keeps MCP servers of an editor; the key goes into the flags of a place, where their secrets do not belong. */
  keep(servers: readonly SourcedServer[]): Promise<string>;
  servers(key: string): Promise<readonly SourcedServer[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'acp-clients': AcpClients;
  }
}
