import type {JSONSchema} from '@gemini-kernel/kernel';
import type {Part} from '@gemini-kernel/kernel';

/** One piece of a message, as given to a model provider. */
export type TestedPiece =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
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

export interface TestedMessage {
  readonly role: 'user' | 'model';
  readonly pieces: readonly TestedPiece[];
}

export interface TestedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
}

/** A request to a model. */
export interface TestedRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly TestedMessage[];
  readonly tools: readonly TestedTool[];
  readonly config: {
    readonly temperature?: number;
    readonly topP?: number;
    readonly maxOutputTokens?: number;
    readonly thinkingBudget?: number;
    readonly answer?: JSONSchema;
  };
}

export interface TestedUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thoughts: number;
  readonly tool: number;
  readonly total: number;
}

export interface TestedFailure {
  readonly kind: 'auth' | 'quota' | 'overloaded' | 'blocked' | 'invalid' | 'network';
  readonly message: string;
  readonly hint?: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly isFinal?: boolean;
}

/** An event of a model's answer. */
export type TestedEvent =
  | {readonly kind: 'text'; readonly text: string; readonly signature?: string}
  | {readonly kind: 'thought'; readonly text: string; readonly signature?: string}
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly signature?: string;
      readonly malformed?: string;
    }
  | {readonly kind: 'usage'; readonly usage: TestedUsage}
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'length' | 'malformed' | 'other';
      readonly detail?: string;
      readonly model?: string;
    }
  | {readonly kind: 'failed'; readonly failure: TestedFailure};

/** A model provider, as far as `createModelSuite` uses it. */
export interface ModelUnderTest {
  check(): Promise<TestedFailure | undefined>;
  describe(
    model: string,
  ): Promise<{readonly model: string; readonly inputLimit: number; readonly fallback: readonly string[]}>;
  list(
    signal?: AbortSignal,
  ): Promise<{readonly models: readonly {readonly name: string}[]; readonly failure?: TestedFailure}>;
  count(request: TestedRequest, signal?: AbortSignal): Promise<{readonly tokens: number; readonly isExact: boolean}>;
  stream(request: TestedRequest, signal: AbortSignal): AsyncIterable<TestedEvent>;
}
