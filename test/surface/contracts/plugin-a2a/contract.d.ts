import type { Confirmation, FormReply, SentForm } from '@gemini-kernel/kernel';
import type { Question } from '@gemini-kernel/kernel/host';
export interface Caller {
  confirm(question: Question, signal: AbortSignal): Promise<Confirmation>;
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply>;
}
export interface A2aClients {
  attach(session: string, caller: Caller): Promise<() => void>;
  find(session: string): Promise<Caller | undefined>;
}
export interface RemoteAuth {
  readonly header: string;
  readonly value: string;
}
export type RemoteLogin = (
  request: {
    readonly url: string;
    readonly init: RequestInit;
  },
  send: (url: string, init: RequestInit) => Promise<Response>,
) => Promise<Response>;
export interface RemoteAgent {
  readonly url?: string;
  readonly json?: string;
  readonly auth?: RemoteAuth;
  readonly login?: RemoteLogin;
}
export interface RemoteCard {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly {
    readonly name: string;
    readonly description: string;
  }[];
  readonly addresses: readonly string[];
}
export interface RemoteAsked {
  readonly agent: RemoteAgent;
  readonly prompt: string;
}
export interface RemoteWatch {
  readonly signal: AbortSignal;
  onProgress(line: string): void;
}
export interface RemoteEnd {
  readonly status: 'done' | 'asks' | 'failed' | 'refused';
  readonly text: string;
  readonly reason?: string;
  readonly contextId: string;
}
export interface RemoteAgents {
  origin(agent: RemoteAgent): Promise<string>;
  card(agent: RemoteAgent, signal: AbortSignal): Promise<RemoteCard>;
  call(asked: RemoteAsked, watch: RemoteWatch): Promise<RemoteEnd>;
}
export interface TaskKey {
  readonly owner: string;
  readonly kind: 'task' | 'receivers';
  readonly id: string;
}
export interface TaskStorage {
  put(
    key: TaskKey,
    value: unknown,
    options: {
      readonly durable: boolean;
    },
  ): Promise<void>;
  get(key: TaskKey): Promise<unknown>;
  remove(key: TaskKey): Promise<void>;
  ids(owner: string): Promise<readonly string[]>;
  hold(server: string): Promise<void>;
  isHeld(server: string): Promise<boolean>;
  release(server: string): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'a2a-clients': A2aClients;
    'remote-agents': RemoteAgents;
    [store: `task-store:${string}`]: TaskStorage;
  }
}
