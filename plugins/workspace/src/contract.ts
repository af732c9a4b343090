import type {} from '@gemini-kernel/kernel';
import type {Project} from './project.js';

export type {Project, ProjectFolder} from './project.js';

export interface Root {
  /** Absolute and real. */
  readonly path: string;
  /** What put it there. */
  readonly source: 'cwd' | 'settings' | 'flag' | 'editor' | 'session';
  /** The settings file, or the bundle, that names it. */
  readonly from?: string;
  /** How it is written there, with variables expanded, where that is not its path. */
  readonly given?: string;
}

/**
 * A directory that something other than a person wants in the workspace, and that is left out until a person adds it.
 */
export interface PendingRoot {
  /** Absolute and real. */
  readonly path: string;
  /** What wants it: the project's settings, the record of a session, or an editor. */
  readonly wantedBy: 'project' | 'session' | 'editor';
  /** It holds secrets or is the system's: only adding it by name brings it in. */
  readonly isClosed: boolean;
  /** The settings file that names it, and how it is written there where that is not its path. */
  readonly from?: string;
  readonly given?: string;
}

/** Which line of which ignore file decided. */
export interface IgnoreRule {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}

export interface PathExplanation {
  readonly given: string;
  /** With symlinks followed; a tail that does not exist yet hangs on its nearest existing ancestor. */
  readonly real: string;
  readonly exists: boolean;
  /** The root that holds it; undefined = outside. */
  readonly root?: Root;
  readonly ignoredBy?: IgnoreRule;
}

export interface AddResult {
  readonly added: readonly string[];
  /** Given, but there already (by real path). */
  readonly present: readonly string[];
  readonly directories: readonly string[];
  /** Left out until a person adds them. */
  readonly pending?: readonly PendingRoot[];
  /** The project's folder, when it is not trusted: what was added to its settings counts once it is. */
  readonly untrusted?: string;
}

export interface RemoveResult {
  /** Real paths, or what is written where nothing is there any more. */
  readonly removed: readonly string[];
  /** The settings file. */
  readonly from: string;
}

export interface IgnoreOptions {
  /** Whether git's ignore files count; as set in the settings when left out. */
  readonly git?: boolean;
  /** The same of `.geminiignore`. */
  readonly gemini?: boolean;
}

/** Goes with one walk from the top down: what it has learned of ignore files is not looked up again. */
export interface IgnoreWalk {
  /**
   * For each entry of a directory, whether it is left out. All entries must be given: ignore files are looked for among
   * them only.
   */
  entries(
    directory: string,
    entries: readonly {readonly name: string; readonly isDirectory: boolean}[],
  ): Promise<readonly boolean[]>;
}

/** Which lines decide about ignoring below a root, for a program that reads git's files by itself. */
export interface IgnoreSources {
  readonly git: boolean;
  /** Whether the repository around the root takes upper and lower case for the same. */
  readonly ignoreCase: boolean;
  /**
   * Whether lines of git's, down to the root, have braces or named classes, which programs read in different ways, or
   * one of its files there is not a file.
   */
  readonly hasOddLines: boolean;
  /**
   * Lines of `.geminiignore` and custom files, the weakest first; all are stronger than git's. Paths start from `base`.
   */
  readonly own: readonly {
    readonly base: string;
    readonly pattern: string;
    readonly isNegated: boolean;
    readonly ignoreCase: boolean;
  }[];
}

/** The directories that tools may reach. */
export interface Workspace {
  roots(): Promise<readonly Root[]>;
  /** What is left out until a person adds it. */
  pending(): Promise<readonly PendingRoot[]>;
  /**
   * The real path of `path` (relative ones against the first root). Throws ToolError PATH_OUTSIDE_WORKSPACE when no
   * root holds it.
   */
  resolve(path: string): Promise<string>;
  /**
   * Says that an opened handle is the file that `resolve` approved: `path` still resolves to itself inside a root and
   * has this device and inode (decimal strings). Throws ToolError PATH_CHANGED otherwise. Call it after opening, before
   * using.
   */
  confirm(path: string, identity: {readonly device: string; readonly inode: string}): Promise<void>;
  /** The real paths, wherever they lead; one that has none (a loop of links) stays as it is given. */
  locate(paths: readonly string[]): Promise<readonly string[]>;
  explain(path: string): Promise<PathExplanation>;
  /** For each path, whether the ignore rules leave it out. One answer for listing, globbing and searching. */
  ignored(paths: readonly string[], options?: IgnoreOptions): Promise<readonly boolean[]>;
  /** The same answers for who lists whole trees. */
  ignoreWalk(options?: IgnoreOptions): Promise<IgnoreWalk>;
  /** What the answers for entries of this root come from. */
  ignoreSources(root: string, options?: IgnoreOptions): Promise<IgnoreSources>;
  /**
   * Adds directories: for this session only, or kept in the project's or the user's settings. All or none. What the
   * project had asked for is then agreed to for good. Of what an editor or the record of a session (`recorded`) names,
   * only what lies in a trusted folder joins.
   */
  add(
    paths: readonly string[],
    options: {readonly scope: 'session' | 'project' | 'user'; readonly source?: 'session' | 'editor' | 'recorded'},
  ): Promise<AddResult>;
  /**
   * Takes directories out of the project's or the user's settings, by path or as they are written there; all or none.
   * A running session keeps them, because what the model has seen cannot be unseen. Throws KernelError
   * DIRECTORY_NOT_KEPT.
   */
  remove(paths: readonly string[], options: {readonly scope: 'project' | 'user'}): Promise<RemoveResult>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    workspace: Workspace;
    project: Project;
  }
  interface Moments {
    'workspace:changed': {kind: 'notify'; payload: {readonly directories: readonly string[]}};
  }
}
