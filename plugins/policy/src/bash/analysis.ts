/** One word of a command, with quotes removed. */
export interface Word {
  /** As written. */
  readonly raw: string;
  /**
   * What it is when it runs; undefined when only running could tell (expansions, globs, braces, a leading tilde of
   * another user).
   */
  readonly value: string | undefined;
  /** Every text that it may become, as shapes (`shape.ts`); absent when `value` is all there is to know. */
  readonly shapes?: readonly string[];
}

/** What a command of git does with files. */
export interface GitUse {
  readonly verb: string;
  /** Each directory that it may run in, `-C` included, as a shape. */
  readonly directories: readonly string[];
  /** Whether it shows what files hold, and not only names. */
  readonly shows: boolean;
  /** Whether that may be files that are not there now. */
  readonly isHistory: boolean;
  /** Absolute paths that it is limited to, as shapes; one that is not sure may also be a revision. */
  readonly paths: readonly {readonly path: string; readonly isSure: boolean}[];
  /** Files of which it shows one version: `HEAD:src/a.ts`. */
  readonly names: readonly string[];
}

/** One command that a line can run. */
export interface SimpleCommand {
  /** Its name first. Assignments in front of it and redirections are left out. */
  readonly words: readonly Word[];
  /** As written, redirections included. */
  readonly text: string;
  /**
   * What leads to it, outermost first: `bash -c`, `xargs`, `$(…)`, `function ls`. Empty for a command of the line
   * itself.
   */
  readonly via: readonly string[];
  /** Each directory that it may run in, as a shape; never empty. */
  readonly directories: readonly string[];
  /** Why a rule of the product does not cover it: options or operands that are not on its list. A sentence. */
  readonly unclear?: string;
  /** Whether it is a program of which nothing is known, which may run what its words name. */
  readonly isStrange: boolean;
  /** For `git`: what it does with files. */
  readonly git?: GitUse;
}

/** A file that a line names where files go. */
export interface FileUse {
  readonly raw: string;
  /** Absolute (not real: nothing is looked up), as a shape: it has holes where only running could tell. */
  readonly path: string;
  readonly access: 'read' | 'write';
  /**
   * Opened by the shell itself, or handed to a command as an argument. `name`: a command shows that it is there, not
   * what it holds.
   */
  readonly by: 'redirection' | 'argument' | 'cd' | 'name';
  /** A file that is found is split at blanks, and looked up as a glob again. */
  readonly isSplit: boolean;
  /** Something before it, or beside it, may have made, changed or removed files. */
  readonly isLate: boolean;
  /**
   * It stands for files that get their names from others: `path` is the folder, followed by what is left of each
   * without the folder it is in.
   */
  readonly from?: {readonly shape: string; readonly folder: string};
}

/** Why it is unknown what a line runs, without running it. */
export interface Doubt {
  /**
   * `unparsed`: not valid bash, or not read the way bash reads it; `dynamic`: what runs is decided while it runs;
   * `unread`: another shell reads it, whose language is not read here.
   */
  readonly kind: 'unparsed' | 'dynamic' | 'unread';
  /** A sentence. */
  readonly reason: string;
  readonly text: string;
  /** What runs is a program or a script, of which its operands are all that is judged: no operand is hidden. */
  readonly showsFiles?: boolean;
}

/** What a line does, as far as reading can tell. */
export interface ShellAnalysis {
  readonly commands: readonly SimpleCommand[];
  readonly files: readonly FileUse[];
  /**
   * Whether it redirects anything to or from a file, a here-document or a here-string. Joining descriptors and
   * /dev/null do not count.
   */
  readonly redirects: boolean;
  /** Whether it runs something that may make, change or remove files. */
  readonly changes: boolean;
  readonly doubts: readonly Doubt[];
}

export interface ShellPlace {
  /** Where the line starts. Absolute. */
  readonly directory: string;
  readonly home: string;
  /** The variables that the line starts with, as far as they are known. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** Reads lines without running anything. */
export interface ShellReader {
  /** Never throws for any text: what it cannot read is a doubt. */
  read(line: string, place: ShellPlace): ShellAnalysis;
}
