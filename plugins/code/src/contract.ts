import type {} from '@gemini-kernel/kernel';

/** What a symbol is, in one word that every language shares. */
export type SymbolKind =
  | 'class'
  | 'constant'
  | 'enum'
  | 'function'
  | 'heading'
  | 'interface'
  | 'key'
  | 'macro'
  | 'member'
  | 'method'
  | 'module'
  | 'property'
  | 'struct'
  | 'type'
  | 'variable';

/** A named part of a file. Offsets count UTF-16 units of the file's text, lines from 1. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The name of the symbol around it, such as the class of a method. */
  readonly owner?: string;
  /** Where its comments and decorators begin, or else it itself. */
  readonly from: number;
  readonly start: number;
  /** Where its name is. */
  readonly nameAt: number;
  /** Where its body begins; `end` when it has none. */
  readonly body: number;
  readonly end: number;
  /** Of `start`. */
  readonly line: number;
  readonly endLine: number;
}

/** A symbol and the file that it is in. */
export interface FoundSymbol {
  /** Absolute and real. */
  readonly path: string;
  readonly symbol: CodeSymbol;
  /** Its first lines without the body, on one line. */
  readonly signature: string;
}

/** A place in a file. */
export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** A place where a name is used. */
export interface Reference extends Place {
  /** The line, without the white space around it. */
  readonly text: string;
  /** It is `{name}` for `{name: name}`. */
  readonly isShorthand?: boolean;
  /** The name that the file has for it, where that is another. */
  readonly as?: string;
}

/** What was found, and what was left out. */
export interface Found<T> {
  readonly items: readonly T[];
  /** There is more than was asked for. */
  readonly isLimited: boolean;
}

export interface CodeStatus {
  /** Files of a known language in the workspace. */
  readonly files: number;
  readonly symbols: number;
  /** Files of each language, the most first. */
  readonly languages: readonly {readonly name: string; readonly files: number}[];
  /** Files that are not indexed, and why. */
  readonly leftOut: readonly {readonly path: string; readonly reason: string}[];
  /** Where the index is kept between runs. */
  readonly file: string;
  readonly bytes: number;
  /** How long it took to bring the index up to date, and how many files were parsed for it. */
  readonly ms: number;
  readonly parsed: number;
}

export interface FindRequest {
  /** `name`, or `Owner.name`. */
  readonly name: string;
  /** Below this real path only. */
  readonly path?: string;
  /** Of several symbols with the name, the one in the file with this real path. */
  readonly definedIn?: string;
  readonly most?: number;
  readonly signal?: AbortSignal;
}

/** A file as text, and its symbols in order. */
export interface Outline {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly symbols: readonly CodeSymbol[];
  /** The language's parser met something that it does not know. */
  readonly hasFaults: boolean;
}

/** A file, and how much the rest of the workspace uses it. */
export interface RankedFile {
  readonly path: string;
  readonly score: number;
  /** In the order of the file. */
  readonly symbols: readonly {readonly symbol: CodeSymbol; readonly score: number}[];
}

/** The code of the workspace, read as code. Every answer is about the files as they are now. */
export interface Code {
  /** One file. Throws ToolError CODE_LANGUAGE_UNKNOWN, CODE_UNREADABLE or CODE_TOO_COMPLEX. */
  outline(path: string): Promise<Outline>;
  /** The files below a path, those that others use most first. */
  ranked(path?: string, signal?: AbortSignal): Promise<readonly RankedFile[]>;
  definitions(request: FindRequest): Promise<Found<FoundSymbol>>;
  references(request: FindRequest): Promise<Found<Reference>>;
  /** Classes and interfaces that extend or implement the one named, or methods that replace the one named. */
  implementations(request: FindRequest): Promise<Found<FoundSymbol>>;
  /** Names of symbols that are most like this one. */
  similar(name: string, signal?: AbortSignal): Promise<readonly string[]>;
  status(signal?: AbortSignal): Promise<CodeStatus>;
}

/** An error or a warning of a language server. Its text is foreign: parts of it come from the files. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
  readonly code?: string;
  /** The line, without the white space around it. */
  readonly text: string;
}

/** A language server, and whether it is used. */
export interface ServerInfo {
  readonly name: string;
  readonly languages: readonly string[];
  /** Where it is; absent when none is found. */
  readonly file?: string;
  readonly from: 'PATH' | 'setting';
  /** `faulty`: it ended or failed so often that it is not started again. */
  readonly state: 'ready' | 'running' | 'missing' | 'unused' | 'faulty';
  /** Why it is not used, as a sentence. */
  readonly reason?: string;
}

/** The language servers that are installed. None is started before the first question about a file of its language. */
export interface CodeServers {
  list(): Promise<readonly ServerInfo[]>;
  /** Whether a server answers for some file in one of the directories. Starts nothing. */
  isUseful(directories: readonly string[]): Promise<boolean>;
  /** Whether edits of a file are checked now. Starts nothing. */
  checks(path: string): Promise<boolean>;
  /**
   * The errors and warnings of a file with this text. Throws ToolError CODE_SERVER_MISSING and CODE_SERVER_FAILED, and
   * the reason of the signal; then the server continues.
   */
  problems(
    path: string,
    text: string,
    signal: AbortSignal,
  ): Promise<{readonly server: string; readonly problems: readonly Problem[]}>;
  /**
   * Where the symbol at an offset of a file with this text is used, in the files that the server knows. Throws as
   * `problems` does.
   */
  references(
    path: string,
    text: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<{readonly server: string; readonly places: readonly Place[]}>;
  /** Until the act has ended, edits are not checked. */
  unchecked<T>(act: () => Promise<T>): Promise<T>;
}

/** What the sessions of a place share; only this plugin looks into it. */
export interface CodeIndex {
  /** Says that a file was written, or without a path that anything may have changed. Never waits. */
  touched(path?: string): void;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    code: Code;
    /** The plugin's own: what the sessions of a place share. */
    'code-index': CodeIndex;
    /** The plugin's own: the language servers of a place. */
    'code-servers': CodeServers;
  }
}
