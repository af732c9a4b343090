import type { EngineInfo } from './contract.js';
import type { Matched, MatchRequest, Place, Walked, WalkRequest } from './engine/engine.js';
export type ListRequest = WalkRequest & {
  readonly signal: AbortSignal;
  onPaths(paths: readonly string[]): void;
};
export interface Search {
  info(): Promise<EngineInfo>;
  places(path?: string): Promise<readonly Place[]>;
  list(request: ListRequest): Promise<Walked>;
  match(request: MatchRequest): Promise<Matched>;
}
