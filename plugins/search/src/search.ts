import type {EngineInfo} from './contract.js';
import type {Matched, MatchRequest, Place, Walked, WalkRequest} from './engine/engine.js';

/** Paths arrive a few at a time, in any order. */
export type ListRequest = WalkRequest & {readonly signal: AbortSignal; onPaths(paths: readonly string[]): void};

/** Searching with whichever engine there is. */
export interface Search {
  info(): Promise<EngineInfo>;
  /**
   * Where to look: a directory or file of the workspace, by its real path, or every directory of the workspace, none
   * twice.
   */
  places(path?: string): Promise<readonly Place[]>;
  list(request: ListRequest): Promise<Walked>;
  match(request: MatchRequest): Promise<Matched>;
}
