import type {} from '@gemini-kernel/kernel';
import type {Buffers} from './buffers.js';
import type {Project} from './project.js';

export type {Buffers, BufferSource} from './buffers.js';
export type {Project, ProjectFolder} from './project.js';

export interface Root {
  /** Absolute and real. */
  readonly path: string;
  /** What added it. */
  readonly source: 'cwd' | 'settings' | 'flag' | 'editor' | 'session';
  /** The settings file, or the bundle, that names it. */
  readonly from?: string;
  /** How it is written there, with variables expanded, if that is not its path. */
  readonly given?: string;
}

/**
 * A directory that something other than a person wants to add to the workspace; it is left out until a person adds it.
 */
export interface PendingRoot {
  /** Absolute and real. */
  readonly path: string;
  /** What wants it: the project's settings, the record of a session, or an editor. */
  readonly wantedBy: 'project' | 'session' | 'editor';
  /** It contains secrets or belongs to the system: only adding it by name brings it in. */
  readonly isClosed: boolean;
  /** The settings file that names it, and how it is written there if that is not its path. */
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
  /**
   * With symlinks followed; for a path that does not exist yet, the missing part is appended to its nearest existing
   * ancestor.
   */
  readonly real: string;
  readonly exists: boolean;
  /** The root that contains it; undefined = outside. */
  readonly root?: Root;
  readonly ignoredBy?: IgnoreRule;
}

export interface AddResult {
  readonly added: readonly string[];
  /** Given, but already included (by real path). */
  readonly present: readonly string[];
  readonly directories: readonly string[];
  /** Left out until a person adds them. */
  readonly pending?: readonly PendingRoot[];
  /** The project's folder, if it is not trusted: additions to its settings count once it is. */
  readonly untrusted?: string;
}

export interface RemoveResult {
  /** Real paths, or the written text if the directory no longer exists. */
  readonly removed: readonly string[];
  /** The settings file. */
  readonly from: string;
}

export interface IgnoreOptions {
  /** Whether git's ignore files apply; default: as configured. */
  readonly git?: boolean;
  /** The same for `.geminiignore`. */
  readonly gemini?: boolean;
}

/** Serves one walk from the top down: it caches what it has read of ignore files. */
export interface IgnoreWalk {
  /**
   * For each entry of a directory, whether it is left out. Pass all entries, because ignore files are found only among
   * them.
   */
  entries(
    directory: string,
    entries: readonly {readonly name: string; readonly isDirectory: boolean}[],
  ): Promise<readonly boolean[]>;
}

/** The lines that decide about ignoring below a root, for a program that reads git's files itself. */
export interface IgnoreSources {
  readonly git: boolean;
  /** Whether the repository around the root ignores case. */
  readonly ignoreCase: boolean;
  /**
   * Whether lines of git's files, down to the root, have braces or named classes, which programs read differently, or
   * one of its files there is not a file.
   */
  readonly hasOddLines: boolean;
  /**
   * Lines of `.geminiignore` and custom files, weakest first; all are stronger than git's. Paths are relative to
   * `base`.
   */
  readonly own: readonly {
    readonly base: string;
    readonly pattern: string;
    readonly isNegated: boolean;
    readonly ignoreCase: boolean;
  }[];
}

/** What a path is for; `write` unless given. */
export interface AccessOptions {
  readonly access?: 'read' | 'write';
}

/** The directories that tools may reach. */
export interface Workspace {
  roots(): Promise<readonly Root[]>;
  /** What is left out until a person adds it. */
  pending(): Promise<readonly PendingRoot[]>;
  /**
   * The real path of `path` (a relative path starts at the first root). Throws ToolError PATH_OUTSIDE_WORKSPACE when
   * no root contains it. With `access: 'read'`, a folder that `allowReading` opened counts too.
   */
  resolve(path: string, options?: AccessOptions): Promise<string>;
  /**
   * Checks that an opened handle is the file that `resolve` approved: `path` still resolves to itself inside a root
   * and has this device and inode (decimal strings). Throws ToolError PATH_CHANGED otherwise. Call it after opening,
   * before using.
   */
  confirm(
    path: string,
    identity: {readonly device: string; readonly inode: string},
    options?: AccessOptions,
  ): Promise<void>;
  /**
   * Lets calls of this session read below a directory outside the roots. It does not become a root: nothing in it can
   * be written, and links that lead out of it are not followed. Throws ToolError PATH_UNRESOLVABLE.
   */
  allowReading(directory: string): Promise<void>;
  /** The real paths, inside or outside; a path without one (a loop of links) is returned unchanged. */
  locate(paths: readonly string[]): Promise<readonly string[]>;
  explain(path: string): Promise<PathExplanation>;
  /** For each path, whether the ignore rules leave it out. One answer for listing, globbing and searching. */
  ignored(paths: readonly string[], options?: IgnoreOptions): Promise<readonly boolean[]>;
  /** The same answers for code that lists whole trees. */
  ignoreWalk(options?: IgnoreOptions): Promise<IgnoreWalk>;
  /** The sources of the answers for entries of this root. */
  ignoreSources(root: string, options?: IgnoreOptions): Promise<IgnoreSources>;
  /**
   * Adds directories, all or none: for this session only, or saved in the project's or the user's settings. A
   * directory that the project had asked for is then agreed to permanently. Of those that an editor or the record of a
   * session (`recorded`) names, only directories in a trusted folder are added.
   */
  add(
    paths: readonly string[],
    options: {readonly scope: 'session' | 'project' | 'user'; readonly source?: 'session' | 'editor' | 'recorded'},
  ): Promise<AddResult>;
  /**
   * Removes directories from the project's or the user's settings, by path or as written there; all or none. A running
   * session keeps them, because the model has already seen them. Throws KernelError DIRECTORY_NOT_KEPT.
   */
  remove(paths: readonly string[], options: {readonly scope: 'project' | 'user'}): Promise<RemoveResult>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    buffers: Buffers;
    workspace: Workspace;
    project: Project;
  }
  interface Moments {
    'workspace:changed': {kind: 'notify'; payload: {readonly directories: readonly string[]}};
  }
}
