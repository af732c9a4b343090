import type { Buffers } from './buffers.js';
import type { Project } from './project.js';
export type { Buffers, BufferSource } from './buffers.js';
export type { Project, ProjectFolder } from './project.js';
export interface Root {
  readonly path: string;
  readonly source: 'cwd' | 'settings' | 'flag' | 'editor' | 'session';
  readonly from?: string;
  readonly given?: string;
}
export interface PendingRoot {
  readonly path: string;
  readonly wantedBy: 'project' | 'session' | 'editor';
  readonly isClosed: boolean;
  readonly from?: string;
  readonly given?: string;
}
export interface IgnoreRule {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}
export interface PathExplanation {
  readonly given: string;
  readonly real: string;
  readonly exists: boolean;
  readonly root?: Root;
  readonly ignoredBy?: IgnoreRule;
}
export interface AddResult {
  readonly added: readonly string[];
  readonly present: readonly string[];
  readonly directories: readonly string[];
  readonly pending?: readonly PendingRoot[];
  readonly untrusted?: string;
}
export interface RemoveResult {
  readonly removed: readonly string[];
  readonly from: string;
}
export interface IgnoreOptions {
  readonly git?: boolean;
  readonly gemini?: boolean;
}
export interface IgnoreWalk {
  entries(
    directory: string,
    entries: readonly {
      readonly name: string;
      readonly isDirectory: boolean;
    }[],
  ): Promise<readonly boolean[]>;
}
export interface IgnoreSources {
  readonly git: boolean;
  readonly ignoreCase: boolean;
  readonly hasOddLines: boolean;
  readonly own: readonly {
    readonly base: string;
    readonly pattern: string;
    readonly isNegated: boolean;
    readonly ignoreCase: boolean;
  }[];
}
export interface AccessOptions {
  readonly access?: 'read' | 'write';
}
export interface Workspace {
  roots(): Promise<readonly Root[]>;
  pending(): Promise<readonly PendingRoot[]>;
  resolve(path: string, options?: AccessOptions): Promise<string>;
  confirm(
    path: string,
    identity: {
      readonly device: string;
      readonly inode: string;
    },
    options?: AccessOptions,
  ): Promise<void>;
  allowReading(directory: string): Promise<void>;
  locate(paths: readonly string[]): Promise<readonly string[]>;
  explain(path: string): Promise<PathExplanation>;
  ignored(paths: readonly string[], options?: IgnoreOptions): Promise<readonly boolean[]>;
  ignoreWalk(options?: IgnoreOptions): Promise<IgnoreWalk>;
  ignoreSources(root: string, options?: IgnoreOptions): Promise<IgnoreSources>;
  add(
    paths: readonly string[],
    options: {
      readonly scope: 'session' | 'project' | 'user';
      readonly source?: 'session' | 'editor' | 'recorded';
    },
  ): Promise<AddResult>;
  remove(
    paths: readonly string[],
    options: {
      readonly scope: 'project' | 'user';
    },
  ): Promise<RemoveResult>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    buffers: Buffers;
    workspace: Workspace;
    project: Project;
  }
  interface Moments {
    'workspace:changed': {
      kind: 'notify';
      payload: {
        readonly directories: readonly string[];
      };
    };
  }
}
