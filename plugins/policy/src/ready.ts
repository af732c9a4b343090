import type {CheckerRound} from './checkers/checker-round.js';
import type {Engine} from './engine/engine.js';
import type {LoadedPolicy} from './load-policy.js';

/** Rules that are read, and what judges by them. */
export interface Ready {
  readonly policy: LoadedPolicy;
  readonly engine: Engine;
  readonly checkers: CheckerRound;
  readonly trusted: boolean;
}
