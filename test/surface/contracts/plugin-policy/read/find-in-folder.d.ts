import type { PlatformPath } from 'node:path';
import type { Problem, Tier } from '../rule.js';
import type { NamedPath } from './named-paths.js';
export interface FoundFile {
  readonly tier: Tier;
  readonly file: string;
  readonly label: string;
  readonly tightens?: true;
  readonly digest?: string;
}
export interface Asked {
  readonly tier: Tier;
  readonly path: string;
  readonly name: string;
  readonly isOptional?: boolean;
  readonly origin?: NamedPath['origin'];
  readonly tightens?: true;
  readonly digest?: string;
}
export interface FoundInFolder {
  readonly files: readonly FoundFile[];
  readonly problems: readonly Problem[];
}
export declare function findInFolder(asked: Asked, paths: PlatformPath): FoundInFolder;
