import type {JSONSchema, Part} from '@gemini-kernel/kernel';

/** One piece of a message. `signature` is the model's own mark on a piece: it goes back with it unchanged. */
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

/** What one side said. Roles alternate; every call is answered, once, by a result in the next message of the user. */
export interface Message {
  readonly role: 'user' | 'model';
  readonly pieces: readonly Piece[];
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
}

/** How a model is to answer. A provider leaves out what its models do not know. */
export interface ModelConfig {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  /** How many tokens it may think: 0 = none, -1 = as many as it likes. */
  readonly thinkingBudget?: number;
  /** The answer must be JSON of this form. */
  readonly answer?: JSONSchema;
  /** What the settings say for this model in the provider's own words (`generateContentConfig`). */
  readonly own?: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** As the provider names it. */
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
  /** Of `input`, what came from a cache. */
  readonly cached: number;
  readonly thoughts: number;
  /** Spent on results of tools that the API ran itself. */
  readonly tool: number;
  readonly total: number;
}

/** What went wrong, in one small set for all providers. */
export interface ModelFailure {
  /**
   * `auth`: no key, or a refused one; `quota`: asked too often or too much; `overloaded`: the service is there and
   * cannot answer now; `blocked`: it will not answer this; `invalid`: the request, or the model's name, is wrong;
   * `network`: it cannot be reached, or the answer broke off.
   */
  readonly kind: 'auth' | 'quota' | 'overloaded' | 'blocked' | 'invalid' | 'network';
  /** A sentence: what was attempted, where, and what came back. */
  readonly message: string;
  readonly hint?: string;
  /** HTTP status. */
  readonly status?: number;
  /** How long the server asks to wait. */
  readonly delayMs?: number;
  /** Waiting does not help: a daily quota, a key that is refused, a model that does not exist. */
  readonly isFinal?: boolean;
}

/**
 * What a model sends while it answers. A stream ends with exactly one `end` or `failed`; it throws nothing but the
 * reason of its signal. `calls` are whole. `usage` counts the whole request so far; the last one holds.
 */
export type ModelEvent =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  /** `malformed`: the arguments as they were sent, when they are not JSON; `input` is then undefined. */
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
   * `stop`: it has said what it wanted, calls included; `length`: its limit was reached; `malformed`: it tried a call
   * that cannot be read; `other`: for a reason of its own, in `detail`. `model` is the name under which it really
   * answered.
   */
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'length' | 'malformed' | 'other';
      readonly detail?: string;
      readonly model?: string;
    }
  | {readonly kind: 'failed'; readonly failure: ModelFailure};

/** What a provider's model can do. */
export interface ModelAbilities {
  /** The name it is asked by, aliases resolved. */
  readonly model: string;
  /** Tokens that a request may have; 0 = not known. */
  readonly inputLimit: number;
  readonly images: boolean;
  readonly documents: boolean;
  readonly thinking: boolean;
  readonly calls: boolean;
  /** Models of the same provider to ask instead when this one cannot answer, the best first. */
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
  /** What is missing before it can be asked (a key, an address), or undefined. Asks nobody. */
  check(): Promise<ModelFailure | undefined>;
  /** Asks nobody: an unknown model gets what is safe to assume. */
  describe(model: string): Promise<ModelAbilities>;
  /** The models that can be asked now. */
  list(signal?: AbortSignal): Promise<{readonly models: readonly ListedModel[]; readonly failure?: ModelFailure}>;
  /** How many tokens a request has; an estimate when nobody can say exactly. */
  count(request: ModelRequest, signal?: AbortSignal): Promise<{readonly tokens: number; readonly isExact: boolean}>;
  /** Asks. Leaving the iteration, or aborting, closes the connection. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
