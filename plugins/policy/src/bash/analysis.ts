/** One word of a command, with quotes removed. */
export interface Word {
  /** As written. */
  readonly raw: string;
  /** What it is when it runs; undefined when only running could tell (expansions, globs, braces, a leading tilde of another user). */
  readonly value: string | undefined;
}

/** One command that a line can run. */
export interface SimpleCommand {
  /** Its name first. Assignments in front of it and redirections are left out. */
  readonly words: readonly Word[];
  /** As written, redirections included. */
  readonly text: string;
  /** What leads to it, outermost first: `bash -c`, `xargs`, `$(…)`, `function ls`. Empty for a command of the line itself. */
  readonly via: readonly string[];
  /** Where it runs; undefined when a `cd` before it cannot be followed. */
  readonly directory: string | undefined;
}

/** A file that a line names where files go. */
export interface FileUse {
  readonly raw: string;
  /** Absolute (not real: nothing is looked up); undefined when only running could tell. */
  readonly path: string | undefined;
  readonly access: 'read' | 'write';
  /** Opened by the shell itself, or handed to a command as an argument. */
  readonly by: 'redirection' | 'argument' | 'cd';
}

/** Why nobody can say what a line runs without running it. */
export interface Doubt {
  /** `unparsed`: not valid bash, or not read the way bash reads it; `dynamic`: what runs is decided while it runs. */
  readonly kind: 'unparsed' | 'dynamic';
  /** A sentence. */
  readonly reason: string;
  readonly text: string;
}

/** What a line does, as far as reading can tell. */
export interface ShellAnalysis {
  readonly commands: readonly SimpleCommand[];
  readonly files: readonly FileUse[];
  /** Whether it redirects anything to or from a file, a here-document or a here-string. Joining descriptors and /dev/null do not count. */
  readonly redirects: boolean;
  readonly doubts: readonly Doubt[];
}

export interface ShellPlace {
  /** Where the line starts. Absolute. */
  readonly directory: string;
  readonly home: string;
}

/** Reads lines without running anything. */
export interface ShellReader {
  /** Never throws for any text: what it cannot read is a doubt. */
  read(line: string, place: ShellPlace): ShellAnalysis;
}
