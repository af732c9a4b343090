import type {Doubt, FileUse, GitUse} from '../bash/analysis.js';
import type {JudgedCommand} from './command-match.js';
import type {TreeWrite} from './tree-writes.js';

/** Something that is judged about a shell line. It is data: no rule was looked at to make it. */
export type LineSubject =
  | WholeLine
  | CommandSubject
  | DoubtSubject
  | RedirectionSubject
  | FileSubject
  | FilesSubject
  | FolderSubject
  | GitFileSubject
  | OwnSubject
  | ChangeSubject;

/** The line as it was written. Rules that restrict by a pattern are asked. */
export interface WholeLine {
  readonly kind: 'line';
  readonly text: string;
}

/** One command that the line can run. All rules are asked; those of the product only while nothing about it is open. */
export interface CommandSubject {
  readonly kind: 'command';
  readonly what: string;
  readonly command: JudgedCommand;
  /** Why it is open what the command does. */
  readonly unclear?: string | undefined;
  /** For git: what it does with the files of the repository, which has to be looked at. */
  readonly git?: GitUse | undefined;
}

/** A text of which only running could tell what it runs. All rules are asked, as about a command of any name. */
export interface DoubtSubject {
  readonly kind: 'doubt';
  readonly doubt: Doubt;
}

/** The redirections of the line. The rules that let its commands pass are asked whether they allow them. */
export interface RedirectionSubject {
  readonly kind: 'redirection';
  readonly text: string;
}

/** One file. Rules that name paths are asked, and where nothing is known of it, or it is outside, perhaps a person. */
export interface FileSubject {
  readonly kind: 'file';
  readonly use: FileUse;
  /** Real, or a shape where only running could tell. */
  readonly path: string;
}

/** Files on disk that one word of the line may mean. Each is asked about like one file, and one of them counts. */
export interface FilesSubject {
  readonly kind: 'files';
  readonly use: FileUse;
  /** Real paths. */
  readonly paths: readonly string[];
  /** Which of them counts: the strictest, or the first to which a rule objects. */
  readonly counts: 'strictest' | 'objection';
  /** The word may also mean none of them: a denial becomes a question. */
  readonly isLikely: boolean;
}

/** The folder in which a glob begins. It has to lie in the workspace; rules about paths do not speak of it. */
export interface FolderSubject {
  readonly kind: 'folder';
  readonly use: FileUse;
  /** Real. */
  readonly path: string;
  /** False where a glob begins with something unknown. */
  readonly isNamed: boolean;
}

/** A file in a folder that git takes for a repository. It counts as written into `.git`. */
export interface GitFileSubject {
  readonly kind: 'git file';
  readonly what: string;
  readonly path: string;
}

/** A run of this program that may change what it obeys. A person is asked. */
export interface OwnSubject {
  readonly kind: 'own';
  readonly text: string;
}

/** A path of which something is deleted, moved, replaced or filled. */
export interface Change extends TreeWrite {
  readonly what: string;
}

/** The same in a line. Rules that hold a place are asked. */
export interface ChangeSubject extends Change {
  readonly kind: 'change';
}
