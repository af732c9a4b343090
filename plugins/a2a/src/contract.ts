import type {Confirmation, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';

/** The other agent that a task works for. For use within this process. */
export interface Caller {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
}

/** The sessions of tasks of other agents, by kernel id. */
export interface A2aClients {
  attach(session: string, caller: Caller): Promise<() => void>;
  find(session: string): Promise<Caller | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'a2a-clients': A2aClients;
  }
}
