import type {TokenUsage} from './model.js';

/** The requests to one model, and their cost. */
export interface ModelStats {
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
  readonly ms: number;
  readonly usage: TokenUsage;
  /** In US dollars, if a price is known. */
  readonly cost?: number;
  /** The part of it that agents asked for. */
  readonly byAgents?: ModelUse;
}

export type ModelUse = Pick<ModelStats, 'requests' | 'errors' | 'ms' | 'usage'>;

/** What an agent has used, with the agents that it called itself. */
export interface AgentUse extends ModelUse {
  readonly agent: string;
  readonly runs: number;
  /** In US dollars, if the prices of all its models are known. */
  readonly cost?: number;
}

/** The calls of one tool. */
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
  /** By the names of agents; absent where none ran. */
  readonly agents?: readonly AgentUse[];
  readonly lines: {readonly added: number; readonly removed: number};
}
