import type {} from '@gemini-kernel/kernel';

/** Where a context file comes from. */
export type Tier = 'global' | 'private' | 'project' | 'folder';

/** A context file as the model gets it. */
export interface ContextFile {
  readonly tier: Tier;
  /** Absolute. */
  readonly path: string;
  /** With imports in their places. */
  readonly text: string;
  /** Files that were imported. */
  readonly imports: readonly string[];
  /** Sentences about what could not be taken in. */
  readonly faults: readonly string[];
}

/** The context files of a session. */
export interface Memory {
  /** What holds now: read anew when a file has changed. Those of folders are the ones that were met so far. */
  files(): Promise<readonly ContextFile[]>;
  /** The files between these paths and their root that were not met before; they count as met then. */
  meet(paths: readonly string[]): Promise<readonly ContextFile[]>;
  /** Reads everything anew; the next prompt carries it. */
  reload(): Promise<readonly ContextFile[]>;
  /** What a reload found, once. */
  takeReloaded(): Promise<readonly ContextFile[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    memory: Memory;
  }
}
