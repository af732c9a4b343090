import type {} from '@gemini-kernel/kernel';
import type {Search} from './search.js';

/** A file or directory whose path fits what was asked for. */
export interface FoundPath {
  /** Absolute. */
  readonly path: string;
  /** The workspace directory that it was found in. */
  readonly root: string;
  readonly isDirectory: boolean;
}

export interface FindOptions {
  /** How many of the best are given; 50 when left out. */
  readonly most?: number;
  readonly kind?: 'file' | 'directory' | 'any';
  readonly signal?: AbortSignal;
  /**
   * Answers from the last complete list, whatever its age, and has a newer one made meanwhile; without one as usual.
   * What was found may be gone by now.
   */
  readonly anyAge?: boolean;
  /** Told the best so far each time they change while the workspace is still being listed. Never waits. */
  readonly update?: (found: readonly FoundPath[]) => void;
}

/** Files and directories of the workspace by a part of their path. */
export interface Files {
  /**
   * Those that fit, the best first: the letters of `text` in their order, in the path below the root. An empty text
   * fits everything. What ignore files leave out is not found. With `context.fileFiltering.enableFuzzySearch` off, the
   * letters must stand together.
   */
  find(text: string, options?: FindOptions): Promise<readonly FoundPath[]>;
}

/** What does the searching, and why that. */
export interface EngineInfo {
  readonly name: 'bundled ripgrep' | 'system ripgrep' | 'javascript';
  /** Of the program that is run. */
  readonly version?: string;
  readonly path?: string;
  /** A sentence. */
  readonly reason: string;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    files: Files;
    /** The plugin's own: what its tools and `files` share. */
    search: Search;
  }
}
