import type { ModelConfig } from './model.js';
export interface Role {
  readonly instruction: string;
  readonly model?: string;
  readonly config?: Pick<ModelConfig, 'temperature' | 'topP'>;
}
