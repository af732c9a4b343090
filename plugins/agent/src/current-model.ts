/** The model of a conversation. */
export interface CurrentModel {
  /** `provider:model`, as chosen. */
  readonly chosen: string;
  /** As resolved. */
  readonly model: string;
  readonly inputLimit: number;
  /** About how many tokens the conversation has. */
  readonly tokens: number;
  /** The levels of thinking that it obeys, the least first; empty when it decides itself. */
  readonly thoughtLevels: readonly string[];
  /** One of those levels, or `auto`: the model decides. */
  readonly thoughtLevel: string;
}

/** The level at which a model decides itself how much it thinks. */
export const AUTO = 'auto';
