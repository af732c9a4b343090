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

/** What a request to a remote agent has besides. */
export interface RemoteAuth {
  readonly header: string;
  readonly value: string;
}

/**
 * Sends a request to a remote agent with a login, in place of `send`, the way to the network. It may send it again. For
 * use within this process.
 */
export type RemoteLogin = (
  request: {readonly url: string; readonly init: RequestInit},
  send: (url: string, init: RequestInit) => Promise<Response>,
) => Promise<Response>;

/** A remote agent: by the address of its card, or by the card itself. */
export interface RemoteAgent {
  readonly url?: string;
  readonly json?: string;
  /** Sent to the place of the card only. */
  readonly auth?: RemoteAuth;
  /** In place of `auth`; asked for requests to the place of the card only. */
  readonly login?: RemoteLogin;
}

/** What a remote agent says of itself: text of others. */
export interface RemoteCard {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly {readonly name: string; readonly description: string}[];
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

/** How a call ended. `asks`: the text is a question, and the next call is its answer. */
export interface RemoteEnd {
  readonly status: 'done' | 'asks' | 'failed' | 'refused';
  readonly text: string;
  readonly reason?: string;
  readonly contextId: string;
}

/**
 * Agents of other programs. Calls of one session to one agent are a conversation. Throws ToolError REMOTE_CARD_INVALID
 * and REMOTE_AGENT_FAILED, and the reason of the signal. For use within this process.
 */
export interface RemoteAgents {
  /** Where an agent is: the only place that its requests and its login go to. */
  origin(agent: RemoteAgent): Promise<string>;
  card(agent: RemoteAgent, signal: AbortSignal): Promise<RemoteCard>;
  call(asked: RemoteAsked, watch: RemoteWatch): Promise<RemoteEnd>;
}

/** Where a value of a task is. The owner is the id of a grant; ids have letters, digits, `-` and `_`. */
export interface TaskKey {
  readonly owner: string;
  readonly kind: 'task' | 'receivers';
  readonly id: string;
}

/**
 * The service `task-store:<name>`: where `gemini a2a serve --store <name>` keeps tasks, for one server or for several
 * that share it. Values are JSON, and are kept whole or not at all; `durable` ones survive a power cut. Calls for one
 * key come one after the other. Values have what callers asked and the secrets of their receivers, so no one else may
 * read them. `@gemini-kernel/plugin-a2a/testing` has the cases that a store passes.
 */
export interface TaskStorage {
  put(key: TaskKey, value: unknown, options: {readonly durable: boolean}): Promise<void>;
  /** Undefined for what is not there, or was cut off with its machine. */
  get(key: TaskKey): Promise<unknown>;
  remove(key: TaskKey): Promise<void>;
  /** The ids of the tasks of an owner. */
  ids(owner: string): Promise<readonly string[]>;
  /** Notes that a server runs, until it releases itself or its process is gone. */
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
