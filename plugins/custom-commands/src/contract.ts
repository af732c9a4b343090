import type {} from '@gemini-kernel/kernel';
import type {CommandOrigin} from '@gemini-kernel/plugin-agent/contract';

/** A folder of command files that a plugin brings, as an extension does. JSON. */
export interface CommandFolder {
  /** Absolute. */
  readonly folder: string;
  /** The name of the extension. Its commands are reachable as `/<owner>:<name>` when their name is taken. */
  readonly owner: string;
}

/**
 * The service `command-folders:<owner>` of the program or a place: folders with command files. The list is kept until
 * the source calls `changed()` of its context.
 */
export interface CommandFolderSource {
  list(): Promise<readonly CommandFolder[]>;
}

/** The shell that runs the commands of a template. */
export type ShellKind = 'bash' | 'powershell';

/** What stands for arguments: all of them as typed, or the word at a position from 1 to 9. */
export interface ArgumentPlace {
  readonly kind: 'arguments';
  readonly position?: number;
}

/** A piece of a shell line: text of the template, or arguments and the quotes around them. */
export type ShellPiece =
  {readonly kind: 'text'; readonly text: string} | (ArgumentPlace & {readonly quotes: 'none' | 'single' | 'double'});

/** One part of a prompt, as its file has it. */
export type TemplatePart =
  | {readonly kind: 'text'; readonly text: string}
  | ArgumentPlace
  /** `source` is the placeholder as written. */
  | {readonly kind: 'file'; readonly path: string; readonly source: string}
  | {readonly kind: 'shell'; readonly pieces: readonly ShellPiece[]; readonly source: string};

/** A command that a file describes. */
export interface CustomCommand {
  /** Unique among the commands of a list. */
  readonly id: string;
  /** As typed after the slash, unless the name is taken. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly file: string;
  readonly origin: CommandOrigin;
  readonly parts: readonly TemplatePart[];
}

/** A file that gives no command. */
export interface CommandFault {
  readonly file: string;
  /** `broken`: its content is invalid. `skipped`: it was not read. */
  readonly kind: 'broken' | 'skipped';
  /** Counted from 1. */
  readonly line?: number;
  readonly column?: number;
  /** A sentence. */
  readonly reason: string;
}

/** A folder that is searched for command files. */
export interface SearchedFolder {
  readonly folder: string;
  readonly origin: CommandOrigin;
  /** Why its files do not count. */
  readonly leftOut?: string;
}

/** All commands of a place. */
export interface CommandListing {
  /** Differs from that of every other state of the files. */
  readonly version: number;
  readonly folders: readonly SearchedFolder[];
  readonly commands: readonly CustomCommand[];
  readonly faults: readonly CommandFault[];
}

/** The commands that files of the person, the project and extensions describe. */
export interface CustomCommands {
  /** Looks at all files, and reads those that changed. */
  list(): Promise<CommandListing>;
  /** Reads all files again. */
  reload(): Promise<CommandListing>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'custom-commands': CustomCommands;
    [folders: `command-folders:${string}`]: CommandFolderSource;
  }
}
