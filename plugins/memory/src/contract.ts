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

/** Something to remember. */
export interface Fact {
  readonly text: string;
  /** For the person everywhere, for the person in this project, or for everyone who works on the project. */
  readonly scope: 'global' | 'private' | 'project';
}

/** What keeping a fact changes: one line more in a file, or nothing. */
export interface Proposal {
  readonly path: string;
  readonly line: string;
  /** Whether a context file says the same already. */
  readonly isKnown: boolean;
}

/** A line of a context file, and whether the model gets it. */
export interface ExplainedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly tier: Tier;
  /** The files that import it, the context file first. */
  readonly importedBy: readonly string[];
  /** Why the model does not get it; undefined when it does. */
  readonly leftOut?: string;
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
  /** What keeping a fact would change. Throws ToolError MEMORY_REFUSED, as `keep` does. */
  propose(fact: Fact): Promise<Proposal>;
  /** Adds a fact to the file of its scope, unless a context file says the same. */
  keep(fact: Fact): Promise<Proposal>;
  /** The lines of context files and of what they import that contain a text, also those that are left out. */
  explain(text: string): Promise<readonly ExplainedLine[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    memory: Memory;
  }
}
