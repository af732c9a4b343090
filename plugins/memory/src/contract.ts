import type {} from '@gemini-kernel/kernel';

/** Where a context file comes from. */
export type Tier = 'global' | 'private' | 'project' | 'folder';

/** A context file in the form that the model gets. */
export interface ContextFile {
  readonly tier: Tier;
  /** Absolute. */
  readonly path: string;
  /** With imports expanded. */
  readonly text: string;
  /** Files that were imported. */
  readonly imports: readonly string[];
  /** Sentences about what could not be read. */
  readonly faults: readonly string[];
}

/** The context files of a session. */
export interface Memory {
  /** The current files: a changed file is read again. Files of folders are those met so far. */
  files(): Promise<readonly ContextFile[]>;
  /** The files between these paths and their root that were not met before; from then on they count as met. */
  meet(paths: readonly string[]): Promise<readonly ContextFile[]>;
  /** Reads everything again; the next prompt includes it. */
  reload(): Promise<readonly ContextFile[]>;
  /** The result of a reload, returned once. */
  takeReloaded(): Promise<readonly ContextFile[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    memory: Memory;
  }
}
