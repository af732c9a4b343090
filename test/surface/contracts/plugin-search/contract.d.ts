import type { Search } from './search.js';
export interface FoundPath {
  readonly path: string;
  readonly root: string;
  readonly isDirectory: boolean;
}
export interface FindOptions {
  readonly most?: number;
  readonly kind?: 'file' | 'directory' | 'any';
  readonly signal?: AbortSignal;
  readonly anyAge?: boolean;
  readonly update?: (found: readonly FoundPath[]) => void;
}
export interface Files {
  find(text: string, options?: FindOptions): Promise<readonly FoundPath[]>;
}
export interface EngineInfo {
  readonly name: 'bundled ripgrep' | 'system ripgrep' | 'javascript';
  readonly version?: string;
  readonly path?: string;
  readonly reason: string;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    files: Files;
    search: Search;
  }
}
