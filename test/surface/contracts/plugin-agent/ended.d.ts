import type { ModelFailure, TokenUsage } from './model.js';
import type { TurnEnd } from './conversation.js';
export interface EndedRequest {
  readonly model: string;
  readonly began: number;
  readonly ms: number;
  readonly firstMs?: number;
  readonly attempt: number;
  readonly status: 'answered' | 'cut' | 'useless' | 'failed' | 'aborted';
  readonly reason?: 'stop' | 'length' | 'malformed' | 'other';
  readonly usage?: TokenUsage;
  readonly failure?: ModelFailure;
  readonly isBeside: boolean;
}
export interface EndedPrompt {
  readonly status: TurnEnd['status'];
  readonly error?: string;
  readonly ms: number;
}
