import type { JSONSchema, Part } from '@gemini-kernel/kernel';
export type Piece =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly signature?: string;
    }
  | {
      readonly kind: 'thought';
      readonly text: string;
      readonly signature?: string;
    }
  | {
      readonly kind: 'data';
      readonly mimeType: string;
      readonly data: string;
    }
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
export interface Message {
  readonly role: 'user' | 'model';
  readonly pieces: readonly Piece[];
}
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
}
export interface ModelConfig {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly thinkingBudget?: number;
  readonly thoughtLevel?: string;
  readonly answer?: JSONSchema;
  readonly mustCall?: boolean;
  readonly own?: Readonly<Record<string, unknown>>;
}
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly config: ModelConfig;
}
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thoughts: number;
  readonly tool: number;
  readonly total: number;
}
export interface ModelFailure {
  readonly kind: 'auth' | 'quota' | 'overloaded' | 'blocked' | 'invalid' | 'network';
  readonly message: string;
  readonly hint?: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly isFinal?: boolean;
}
export type ModelEvent =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly signature?: string;
    }
  | {
      readonly kind: 'thought';
      readonly text: string;
      readonly signature?: string;
    }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly signature?: string;
      readonly malformed?: string;
    }
  | {
      readonly kind: 'usage';
      readonly usage: TokenUsage;
    }
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'length' | 'malformed' | 'other';
      readonly detail?: string;
      readonly model?: string;
    }
  | {
      readonly kind: 'failed';
      readonly failure: ModelFailure;
    };
export interface OutgoingRequest {
  readonly model: string;
  readonly request: ModelRequest;
  readonly answer?: readonly ModelEvent[];
}
export interface SideRequest {
  readonly model?: string;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDeclaration[];
  readonly config?: ModelConfig;
}
export type SideAnswer =
  | {
      readonly status: 'answered';
      readonly model: string;
      readonly pieces: readonly Piece[];
      readonly end: 'stop' | 'length' | 'malformed' | 'other';
      readonly usage?: TokenUsage;
    }
  | {
      readonly status: 'failed';
      readonly failure: ModelFailure;
    };
export interface ModelAbilities {
  readonly model: string;
  readonly inputLimit: number;
  readonly images: boolean;
  readonly documents: boolean;
  readonly thinking: boolean;
  readonly thoughtLevels?: readonly string[];
  readonly calls: boolean;
  readonly fallback: readonly string[];
}
export interface ListedModel {
  readonly name: string;
  readonly description?: string;
  readonly inputLimit?: number;
}
export interface Model {
  check(): Promise<ModelFailure | undefined>;
  describe(model: string): Promise<ModelAbilities>;
  list(signal?: AbortSignal): Promise<{
    readonly models: readonly ListedModel[];
    readonly failure?: ModelFailure;
  }>;
  count(
    request: ModelRequest,
    signal?: AbortSignal,
  ): Promise<{
    readonly tokens: number;
    readonly isExact: boolean;
  }>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
