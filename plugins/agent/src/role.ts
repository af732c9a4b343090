import type {ModelConfig} from './model.js';

/** What a conversation is when it is not the main one. */
export interface Role {
  /** Stands in place of the instruction above the conversation. */
  readonly instruction: string;
  /** The chosen one unless given. */
  readonly model?: string;
  readonly config?: Pick<ModelConfig, 'temperature' | 'topP'>;
}
