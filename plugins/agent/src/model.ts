import type {JSONSchema, Part} from '@gemini-kernel/kernel';

/** One piece of a message. `signature` is the model's own mark; it must be sent back unchanged. */
export type Piece =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  /** A picture, a document or a recording; base64. */
  | {readonly kind: 'data'; readonly mimeType: string; readonly data: string}
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly signature?: string;
    }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly name: string;
      readonly output: readonly Part[];
      readonly failed: boolean;
    };

/** A message of one side. Roles alternate; every call has exactly one result in the next user message. */
export interface Message {
  readonly role: 'user' | 'model';
  readonly pieces: readonly Piece[];
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
}

/** Options for the answer. A provider ignores those that its models do not support. */
export interface ModelConfig {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  /** The budget of thinking tokens: 0 = none, -1 = unlimited. */
  readonly thinkingBudget?: number;
  /** One of `thoughtLevels` of the model; it counts before a budget. */
  readonly thoughtLevel?: string;
  /** The answer must be JSON that matches this schema. */
  readonly answer?: JSONSchema;
  /** The answer must call one of the tools. */
  readonly mustCall?: boolean;
  /** The options from the settings in the provider's own words (`generateContentConfig`). */
  readonly own?: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** The provider's name for it. */
  readonly model: string;
  /** The instruction above the conversation; may be empty. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly config: ModelConfig;
}

/** Token counts of one request, as the API counts them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from a cache. */
  readonly cached: number;
  readonly thoughts: number;
  /** Spent on tools that the API ran itself. */
  readonly tool: number;
  readonly total: number;
}

/** A failure, with the same kinds for all providers. */
export interface ModelFailure {
  /**
   * `auth`: the key is missing or refused; `quota`: too many requests or tokens; `overloaded`: the service cannot
   * answer now; `blocked`: it refuses to answer; `invalid`: the request, or the model's name, is wrong; `network`: no
   * connection, or the answer broke off.
   */
  readonly kind: 'auth' | 'quota' | 'overloaded' | 'blocked' | 'invalid' | 'network';
  /** A sentence: what was attempted, where, and the response. */
  readonly message: string;
  readonly hint?: string;
  /** HTTP status. */
  readonly status?: number;
  /** The delay that the server asks for. */
  readonly delayMs?: number;
  /** Retrying does not help: a daily quota, a refused key, a model that does not exist. */
  readonly isFinal?: boolean;
}

/**
 * An event of a model's answer. A stream ends with exactly one `end` or `failed`; it throws only its signal's reason.
 * `calls` are complete. `usage` counts the whole request so far; the last one counts.
 */
export type ModelEvent =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  /** `malformed`: the arguments as sent, when they are not JSON; `input` is then undefined. */
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly signature?: string;
      readonly malformed?: string;
    }
  | {readonly kind: 'usage'; readonly usage: TokenUsage}
  /**
   * `stop`: the answer is complete, calls included; `length`: its output limit was reached; `malformed`: it made a
   * malformed call; `other`: for the reason in `detail`. `model` is the name that the API reports.
   */
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'length' | 'malformed' | 'other';
      readonly detail?: string;
      readonly model?: string;
    }
  | {readonly kind: 'failed'; readonly failure: ModelFailure};

/** A request before it is sent; a listener of `model:request` may set `answer`, and no request is sent. */
export interface OutgoingRequest {
  /** `provider:model`. */
  readonly model: string;
  readonly request: ModelRequest;
  readonly answer?: readonly ModelEvent[];
}

/** A request beside the conversation: it has its own messages, and leaves no trace in the history. */
export interface SideRequest {
  /** A name or an alias; absent: the model of the session. */
  readonly model?: string;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDeclaration[];
  readonly config?: ModelConfig;
}

/** What came of it. Calls are not run: they are pieces of the answer. */
export type SideAnswer =
  | {
      readonly status: 'answered';
      /** `provider:model`. */
      readonly model: string;
      readonly pieces: readonly Piece[];
      readonly end: 'stop' | 'length' | 'malformed' | 'other';
      readonly usage?: TokenUsage;
    }
  | {readonly status: 'failed'; readonly failure: ModelFailure};

/** The properties of a provider's model. */
export interface ModelAbilities {
  /** Its name with aliases resolved. */
  readonly model: string;
  /** The input limit in tokens; 0 = unknown. */
  readonly inputLimit: number;
  readonly images: boolean;
  readonly documents: boolean;
  readonly thinking: boolean;
  /** The levels of thinking that can be asked for, the least first; absent: it decides itself. */
  readonly thoughtLevels?: readonly string[];
  readonly calls: boolean;
  /** Models of the same provider to try when this one cannot answer, the best first. */
  readonly fallback: readonly string[];
}

/** A model in a list. */
export interface ListedModel {
  readonly name: string;
  readonly description?: string;
  readonly inputLimit?: number;
}

/** A provider of models: the service `model:<name>`. A session's model is written `<name>:<model>`. */
export interface Model {
  /** What is missing before requests can work (a key, an address), or undefined. Sends no request. */
  check(): Promise<ModelFailure | undefined>;
  /** Sends no request: an unknown model gets safe assumptions. */
  describe(model: string): Promise<ModelAbilities>;
  /** The models that are available now. */
  list(signal?: AbortSignal): Promise<{readonly models: readonly ListedModel[]; readonly failure?: ModelFailure}>;
  /** The tokens of a request; an estimate if the API has no exact count. */
  count(request: ModelRequest, signal?: AbortSignal): Promise<{readonly tokens: number; readonly isExact: boolean}>;
  /** Sends a request. Leaving the iteration, or aborting, closes the connection. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
