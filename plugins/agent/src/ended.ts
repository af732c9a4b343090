import type {ModelFailure, TokenUsage} from './model.js';
import type {TurnEnd} from './conversation.js';

/** A request to a model, and how it ended. JSON. */
export interface EndedRequest {
  /** `provider:model` that was asked. */
  readonly model: string;
  /** In milliseconds since 1970. */
  readonly began: number;
  readonly ms: number;
  /** Until the first piece of the answer; absent without one. */
  readonly firstMs?: number;
  /** 1 for the first time that this model is asked for this answer. */
  readonly attempt: number;
  /** `cut`: the answer broke off; `useless`: it had no usable content. */
  readonly status: 'answered' | 'cut' | 'useless' | 'failed' | 'aborted';
  /** Why the model stopped, in the words of the model's end. */
  readonly reason?: 'stop' | 'length' | 'malformed' | 'other';
  readonly usage?: TokenUsage;
  readonly failure?: ModelFailure;
  /** Whether it is beside the conversation, such as a summary. */
  readonly isBeside: boolean;
}

/** A prompt that has ended. JSON. */
export interface EndedPrompt {
  readonly status: TurnEnd['status'];
  /** The code of the error. */
  readonly error?: string;
  readonly ms: number;
}
