import type { TokenUsage } from './model.js';
export interface ModelStats {
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
  readonly ms: number;
  readonly usage: TokenUsage;
  readonly cost?: number;
  readonly byAgents?: ModelUse;
}
export type ModelUse = Pick<ModelStats, 'requests' | 'errors' | 'ms' | 'usage'>;
export interface AgentUse extends ModelUse {
  readonly agent: string;
  readonly runs: number;
  readonly cost?: number;
}
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
  readonly agents?: readonly AgentUse[];
  readonly lines: {
    readonly added: number;
    readonly removed: number;
  };
}
