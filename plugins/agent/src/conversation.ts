import type {Part} from '@gemini-kernel/kernel';
import type {PromptPart} from './sourced.js';
import type {Message, ModelEvent, ModelFailure, ModelRequest, TokenUsage} from './model.js';

/** What became of a call that the model made. */
export interface CallRecord {
  /** As the model named it. */
  readonly id: string;
  /** As this program names it, for `gemini why`; absent in a conversation from elsewhere. */
  readonly callId?: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'done' | 'failed' | 'refused' | 'aborted';
  /** What went back to the model. */
  readonly output: readonly Part[];
  /** For people. */
  readonly display?: string;
  /** Real paths of files that it wrote, moved or deleted, as far as its tool says. */
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
  /** A note's text is a piece of the message too. */
  readonly message: Message;
  /** What the person typed, when the message says more. */
  readonly shown?: string;
  /** Notes: how serious it is. */
  readonly severity?: 'info' | 'warning' | 'error';
  /** Entries of the model: who answered, what it cost, and what became of its calls. */
  readonly model?: string;
  readonly usage?: TokenUsage;
  readonly calls?: readonly CallRecord[];
  /** Who wrote a user entry: a person, the tools (results), or the agent itself (context, a nudge, a summary). */
  readonly origin?: 'person' | 'tools' | 'agent';
}

/** How a conversation's history changes. `put` replaces the entry with the same id, or appends. */
export type HistoryChange =
  | {readonly kind: 'put'; readonly entry: Entry}
  | {readonly kind: 'replace'; readonly entries: readonly Entry[]; readonly why: 'start' | 'compressed'}
  /** The entry and everything after it are gone. */
  | {readonly kind: 'rewind'; readonly to: string}
  /** A prompt has been dealt with: what was said until now should survive a power cut. */
  | {readonly kind: 'settled'};

/** The history that a conversation goes on with. */
export interface LoadedHistory {
  readonly entries: readonly Entry[];
  /** A sentence for the person, such as what is missing. */
  readonly notice?: string;
}

/** One section of what the model is told beside the conversation. */
export interface ContextSection {
  /**
   * `system`: in the instruction above the conversation; `start`: in the first message; `prompt`: beside this prompt.
   */
  readonly place: 'system' | 'start' | 'prompt';
  /** The name that people see in `/memory show` and the like. */
  readonly title: string;
  readonly text: string;
}

/** Where a prompt is when the model has stopped. */
export interface FinishedTurn {
  readonly prompt: string;
  /** What the model said last. */
  readonly text: string;
  /** How many requests the prompt has taken so far. */
  readonly rounds: number;
}

/** What happens while a prompt is dealt with, for whoever shows it. JSON. */
export type AgentEvent =
  | {readonly kind: 'model'; readonly model: string}
  /** Nothing has come of an answer for some seconds; told once. */
  | {readonly kind: 'silence'; readonly model: string; readonly seconds: number}
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'thought'; readonly text: string}
  /** The model's message is over; `text` begins anew. One that broke off and goes on is one message. */
  | {readonly kind: 'message'; readonly entry: Entry}
  | {readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown}
  | {
      readonly kind: 'progress';
      readonly id: string;
      readonly text: string;
      readonly done?: number;
      readonly total?: number;
    }
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
  /** `code`: of a notice. */
  | {
      readonly kind: 'note';
      readonly severity: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly code?: string;
    }
  | {readonly kind: 'usage'; readonly model: string; readonly usage: TokenUsage};

/** A call that was refused. */
export interface RefusedCall {
  readonly tool: string;
  readonly id: string;
  readonly input: unknown;
  readonly reason: string;
}

/** How a prompt ended. */
export interface TurnEnd {
  /**
   * `done`: the model stopped on its own; `refused`: a plugin did not let the prompt through; `aborted`: the caller
   * gave up, or a signal ended the run; `failed`: `error` says why; `limit`: the turns, the cost or the time are used
   * up; `loop`: it repeated itself; `invalid`: its answers could not be read. Every end but `done` has an `error`, and
   * `aborted` has none when the person gave up.
   */
  readonly status: 'done' | 'refused' | 'aborted' | 'failed' | 'limit' | 'loop' | 'invalid';
  /** The text of the model's last message. */
  readonly text: string;
  readonly error?: {readonly code: string; readonly message: string; readonly hint?: string; readonly status?: number};
  readonly warnings: readonly string[];
  /** Calls that were refused, in order, by the id that `gemini why` takes. */
  readonly refused: readonly RefusedCall[];
  /**
   * Real paths of files that calls changed, each once: what tools say, then what listeners of `changes:collect` add.
   */
  readonly changed: readonly string[];
  /** The answer as a value, where a form was asked for and the answer fits. */
  readonly structured?: unknown;
}

/** Requests and US dollars that a prompt may use, counted over the whole conversation. */
export interface RunLimits {
  readonly turns?: number;
  readonly cost?: number;
}

/** A prompt on its way to the model; `parts`: what a command made of it. */
export interface Prompted {
  readonly text: string;
  readonly parts?: readonly PromptPart[];
  /** JSON Schema that the answer must fit. */
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly limits?: RunLimits;
}

/** Who watches, from within this process. */
export interface AgentWatch {
  /** A reason that is a KernelError becomes the error of the end; any other means that the person gave up. */
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

/** What one model was asked and what it cost. */
export interface ModelStats {
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
  readonly ms: number;
  readonly usage: TokenUsage;
  /** In US dollars, when a price is known. */
  readonly cost?: number;
}

/** What calls of one tool came to. */
export interface ToolStats {
  readonly tool: string;
  readonly count: number;
  readonly done: number;
  readonly failed: number;
  readonly ms: number;
  readonly decisions: {
    readonly accept: number;
    readonly reject: number;
    readonly modify: number;
    readonly autoAccept: number;
  };
}

export interface AgentStats {
  readonly started: string;
  readonly models: readonly ModelStats[];
  readonly tools: readonly ToolStats[];
  readonly lines: {readonly added: number; readonly removed: number};
}

/** One conversation with a model. One prompt at a time; a second one waits. */
export interface Agent {
  /** Deals with a prompt until the model stops. Never throws for what a model or a tool does. */
  send(prompt: Prompted, watch: AgentWatch): Promise<TurnEnd>;
  /** Puts a summary in the place of the older part. */
  compress(watch: AgentWatch): Promise<{
    readonly status: 'compressed' | 'nothing' | 'larger' | 'failed';
    readonly before: number;
    readonly after: number;
    readonly message?: string;
  }>;
  /** What keeps the chosen model from being asked, such as a key that is missing. Asks nobody. */
  check(): Promise<ModelFailure | undefined>;
  history(): Promise<readonly Entry[]>;
  /** Forgets a prompt of the person and all that came after; gives its text. Throws KernelError PROMPT_UNKNOWN. */
  rewind(id: string): Promise<{readonly text: string}>;
  /**
   * Puts something that the person did into the history, where the model sees it with the next prompt; the same id
   * again replaces it. `shown` is what the person typed.
   */
  tell(done: {readonly id: string; readonly text: string; readonly shown: string}): Promise<void>;
  /** `provider:model`, as asked for and as it will be asked. */
  model(): Promise<{
    readonly chosen: string;
    readonly model: string;
    readonly inputLimit: number;
    readonly tokens: number;
  }>;
  /** Chooses another model for the rest of the conversation. Throws KernelError MODEL_UNKNOWN. */
  setModel(name: string): Promise<void>;
  /** The providers there are, whether they can be asked, and their models. */
  models(
    signal?: AbortSignal,
  ): Promise<
    readonly {readonly provider: string; readonly models: readonly string[]; readonly failure?: ModelFailure}[]
  >;
  stats(): Promise<AgentStats>;
}

/** A request on its way; a listener of `model:request` may put `answer` there, and nobody is asked. */
export interface OutgoingRequest {
  /** `provider:model`. */
  readonly model: string;
  readonly request: ModelRequest;
  readonly answer?: readonly ModelEvent[];
}
