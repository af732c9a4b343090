import type {CurrentModel} from './current-model.js';
import type {Part, Progress} from '@gemini-kernel/kernel';
import type {PieceSizes, RequestFrame} from './fitting.js';
import type {Role} from './role.js';
import type {PromptPart} from './sourced.js';
import type {AgentStats, ModelStats} from './stats.js';
import type {Message, ModelFailure, SideAnswer, SideRequest, TokenUsage} from './model.js';

/** How a call of the model ended. */
export interface CallRecord {
  /** As the model named it. */
  readonly id: string;
  /** The id in this program, for `gemini why`; absent in a conversation from elsewhere. */
  readonly callId?: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'done' | 'failed' | 'refused' | 'aborted';
  /** The result for the model. */
  readonly output: readonly Part[];
  /** For people. */
  readonly display?: string;
  /** Real paths of files that it wrote, moved or deleted, as its tool reports them. */
  readonly changed?: readonly string[];
  readonly error?: {readonly code: string; readonly message: string};
  readonly ms: number;
  /** When it ended; ISO. */
  readonly time: string;
}

/** One entry of a conversation. Entries of kind `note` are for people; the model never sees them. */
export interface Entry {
  readonly id: string;
  /** ISO. */
  readonly time: string;
  readonly kind: 'user' | 'model' | 'note';
  /** The text of a note is a piece of the message too. */
  readonly message: Message;
  /** What the person typed, if the message contains more. */
  readonly shown?: string;
  /** For notes: the severity. */
  readonly severity?: 'info' | 'warning' | 'error';
  /** For entries of the model: its name, the cost, and how its calls ended. */
  readonly model?: string;
  readonly usage?: TokenUsage;
  readonly calls?: readonly CallRecord[];
  /** Who wrote a user entry: a person, the tools (results), or the agent itself (context, a nudge, a summary). */
  readonly origin?: 'person' | 'tools' | 'agent';
}

/** A change of the history. `put` replaces the entry with the same id, or appends. */
export type HistoryChange =
  | {readonly kind: 'put'; readonly entry: Entry}
  | {readonly kind: 'replace'; readonly entries: readonly Entry[]; readonly why: 'start' | 'compressed'}
  /** Removes the entry and everything after it. */
  | {readonly kind: 'rewind'; readonly to: string}
  /** A prompt has ended: what is recorded until now should survive a power cut. */
  | {readonly kind: 'settled'};

/** The history of a continued conversation. */
export interface LoadedHistory {
  readonly entries: readonly Entry[];
  /** A sentence for the person, such as about a missing part. */
  readonly notice?: string;
}

/** One section of context for the model, besides the conversation. */
export interface ContextSection {
  /** `system`: in the instruction above the conversation; `start`: in the first message; `prompt`: with this prompt. */
  readonly place: 'system' | 'start' | 'prompt';
  /** The name shown in `/memory show` and similar commands. */
  readonly title: string;
  readonly text: string;
}

/** The state of a prompt when the model has stopped. */
export interface FinishedTurn {
  readonly prompt: string;
  /** The model's last message. */
  readonly text: string;
  /** The number of requests so far. */
  readonly rounds: number;
}

/** The events of a prompt, for display. JSON. */
export type AgentEvent =
  | {readonly kind: 'model'; readonly model: string}
  /** No part of an answer has arrived for some seconds; sent once. */
  | {readonly kind: 'silence'; readonly model: string; readonly seconds: number}
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'thought'; readonly text: string}
  /** The model's message is complete; `text` starts again. An interrupted and continued message counts as one. */
  | {readonly kind: 'message'; readonly entry: Entry}
  | {readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown}
  | ({readonly kind: 'progress'; readonly id: string} & Progress)
  | {readonly kind: 'result'; readonly id: string; readonly call: CallRecord}
  | {
      readonly kind: 'waiting';
      readonly failure: ModelFailure;
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
    }
  /** Another model answers from here on. */
  | {readonly kind: 'fallback'; readonly from: string; readonly to: string; readonly failure: ModelFailure}
  | {readonly kind: 'compressed'; readonly before: number; readonly after: number}
  /** `code`: for a notice. */
  | {
      readonly kind: 'note';
      readonly severity: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly code?: string;
    }
  | {readonly kind: 'usage'; readonly model: string; readonly usage: TokenUsage}
  | AgentsEvent;

/** An event of an agent that a call of this conversation started. */
export interface AgentsEvent {
  readonly kind: 'agent';
  /** The call. */
  readonly id: string;
  readonly agent: string;
  /** The session of the agent. */
  readonly session: string;
  readonly event: AgentEvent;
}

/** A refused call. */
export interface RefusedCall {
  readonly tool: string;
  readonly id: string;
  readonly input: unknown;
  readonly reason: string;
}

/** How a prompt ended. */
export interface TurnEnd {
  /**
   * `done`: the model stopped; `refused`: a plugin refused the prompt; `aborted`: the caller cancelled, or a signal
   * ended the run; `failed`: see `error`; `limit`: the turns, the cost or the time are used up; `loop`: it repeated
   * itself; `invalid`: its answers were unusable. Every end but `done` has an `error`, except `aborted` by the person.
   */
  readonly status: 'done' | 'refused' | 'aborted' | 'failed' | 'limit' | 'loop' | 'invalid';
  /** The text of the model's last message. */
  readonly text: string;
  /** That message is incomplete, because the model reached its output limit. */
  readonly isCut?: true;
  readonly error?: {readonly code: string; readonly message: string; readonly hint?: string; readonly status?: number};
  readonly warnings: readonly string[];
  /** Refused calls, in order, by the id that `gemini why` takes. */
  readonly refused: readonly RefusedCall[];
  /**
   * Real paths of files that calls changed, each once: as tools report them, then what listeners of `changes:collect`
   * add.
   */
  readonly changed: readonly string[];
  /** The answer as a value, if a schema was given and the answer matches. */
  readonly structured?: unknown;
}

/**
 * Limits of requests and US dollars, counted over the whole conversation. They count in place of the settings, but the
 * cost of an agent's session is never above them.
 */
export interface RunLimits {
  readonly turns?: number;
  readonly cost?: number;
}

/** A prompt for the model; `parts`: the result of a command. */
export interface Prompted {
  readonly text: string;
  readonly parts?: readonly PromptPart[];
  /** Added to the text and the files that it names. */
  readonly attached?: readonly PromptPart[];
  /** JSON Schema that the answer must match. */
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly limits?: RunLimits;
}

/** Observes a prompt within this process. */
export interface AgentWatch {
  /** A KernelError as reason becomes the error of the end; any other reason means that the person cancelled. */
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

/** What a provider lists, or why it cannot. */
export interface ListedProvider {
  readonly provider: string;
  readonly models: readonly string[];
  readonly failure?: ModelFailure;
}

/** One conversation with a model. It runs one prompt at a time; a second one waits. */
export interface Agent {
  /** Gives the conversation its role, before its first prompt. Throws KernelError MODEL_UNKNOWN. */
  assume(role: Role): Promise<void>;
  /** Runs a prompt until the model stops. Never throws because of a model or a tool. */
  send(prompt: Prompted, watch: AgentWatch): Promise<TurnEnd>;
  /**
   * Asks the chosen model, or another one, something beside the conversation, also while a prompt runs. It counts in
   * the statistics. Throws the signal's reason, and KernelError MODEL_UNKNOWN.
   */
  ask(request: SideRequest, signal: AbortSignal): Promise<SideAnswer>;
  /** Replaces the older part with a summary. */
  compress(watch: AgentWatch): Promise<{
    readonly status: 'compressed' | 'nothing' | 'larger' | 'failed';
    readonly before: number;
    readonly after: number;
    readonly message?: string;
  }>;
  /** What prevents requests to the chosen model, such as a missing key. Sends no request. */
  check(): Promise<ModelFailure | undefined>;
  history(): Promise<readonly Entry[]>;
  /** Removes a prompt of the person and everything after it; gives its text. Throws KernelError PROMPT_UNKNOWN. */
  rewind(id: string): Promise<{readonly text: string}>;
  /** Removes everything but the context of the session, also while a prompt runs: its next request begins there. */
  clear(): Promise<void>;
  /**
   * Adds an action of the person to the history, where the model sees it with the next prompt; the same id again
   * replaces it. `shown` is what the person typed.
   */
  tell(done: {readonly id: string; readonly text: string; readonly shown: string}): Promise<void>;
  model(): Promise<CurrentModel>;
  /** Chooses another model for the rest of the conversation. Throws KernelError MODEL_UNKNOWN. */
  setModel(name: string): Promise<void>;
  /** Chooses how much the model thinks, for the rest of the conversation. Throws KernelError THOUGHT_LEVEL_UNKNOWN. */
  setThoughtLevel(level: string): Promise<void>;
  /** The installed providers, whether they are usable, and their models. */
  models(signal?: AbortSignal): Promise<readonly ListedProvider[]>;
  stats(): Promise<AgentStats>;
  /** Counts requests of others for this conversation, such as those of an agent that it called and that has ended. */
  charge(models: readonly ModelStats[], agent?: string): Promise<void>;
  /** Shows those who watch the prompt that runs now what an agent of it does. */
  relay(event: AgentsEvent): Promise<void>;
  /** The estimated tokens of each piece of entries. */
  measure(entries: readonly Entry[]): Promise<PieceSizes>;
  /** What a request would have besides the history now. Sends no request. */
  frame(): Promise<RequestFrame>;
}
