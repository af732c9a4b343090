import type { IgnoreOptions } from '@gemini-kernel/plugin-workspace/contract';
import type { EngineInfo } from '../contract.js';
import type { LinePattern } from '../pattern/line-pattern.js';
export interface Place {
  readonly path: string;
  readonly isFile: boolean;
  readonly root: string;
  readonly bases: readonly [string, ...string[]];
}
export interface FileTest {
  matches(relative: string): boolean;
  readonly nameGlob?: string;
}
export interface WalkRequest {
  readonly places: readonly Place[];
  readonly ignore: IgnoreOptions | false;
  readonly withoutFolders: readonly string[];
  readonly withoutEndings: readonly string[];
  readonly wants?: FileTest;
}
export interface Walked {
  readonly unreadable: readonly string[];
}
export interface LineMatch {
  readonly number: number;
  readonly text: string;
}
export interface FileMatches {
  readonly path: string;
  readonly lines: readonly LineMatch[];
}
export interface MatchRequest extends WalkRequest {
  readonly pattern: LinePattern;
  readonly except?: LinePattern;
  readonly mostPerFile: number;
  readonly most: number;
  readonly signal: AbortSignal;
  accept(files: readonly FileMatches[]): Promise<readonly FileMatches[]>;
}
export interface Matched extends Walked {
  readonly files: readonly FileMatches[];
  readonly isLimited: boolean;
}
export interface Engine {
  readonly info: EngineInfo;
  list(
    request: WalkRequest & {
      readonly signal: AbortSignal;
      onPaths(paths: readonly string[]): void;
    },
  ): Promise<Walked>;
  canMatch(pattern: LinePattern): boolean;
  match(request: MatchRequest): Promise<Matched>;
}
export declare class EngineRefused extends Error {}
