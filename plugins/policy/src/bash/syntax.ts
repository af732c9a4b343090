import type {Doubt} from './analysis.js';

/** One word as it stands in a line, with what reading can tell of it. */
export interface ShellWord {
  readonly raw: string;
  readonly start: number;
  /** With quotes removed; undefined when only running could tell. */
  readonly value: string | undefined;
  /** The text it surely begins with: all of it when its value is known. */
  readonly lead: string;
  /** Whether it may become several words, or none. */
  readonly splits: boolean;
  /** Whether any part of it is quoted or expanded, so that it is no keyword. */
  readonly isQuoted: boolean;
  /** Whether all of it is digits, or something that can only be digits. */
  readonly isNumber: boolean;
  /** Variables that it is made of. */
  readonly names: readonly string[];
  /** Whether it takes in what comes from outside the line: file names, arguments of a function. */
  readonly isOpen: boolean;
  /** What it runs to find its value. */
  readonly scripts: readonly NestedScript[];
  /**
   * All of it, as a text with holes (`shape.ts`): braces and globs that are not quoted, and a mark for each expansion.
   */
  readonly form: string;
  /** What the marks in `form` stand for, in order of their numbers. */
  readonly expansions: readonly Expansion[];
}

/** Something in a word that becomes text when it runs. */
export type Expansion = {readonly isQuoted: boolean} & (
  | {readonly kind: 'variable'; readonly name: string; readonly isList: boolean}
  /** `${x:-word}` and its like. */
  | {readonly kind: 'alternative'; readonly name: string; readonly operator: string; readonly word: Formed}
  /** `${x%.*}` and its like; `pattern` as written. */
  | {readonly kind: 'cut'; readonly name: string; readonly operator: string; readonly pattern: string}
  | {readonly kind: 'script'; readonly script: Script}
  | {readonly kind: 'shapes'; readonly shapes: readonly string[]}
);

/** What a word is made of. */
export type Formed = Pick<ShellWord, 'form' | 'expansions'>;

export interface NestedScript {
  readonly via: '$(…)' | '`…`' | '<(…)' | '>(…)';
  readonly script: Script;
}

export interface Assignment {
  readonly name: string;
  /** What stands between brackets after the name. */
  readonly subscript: string | undefined;
  readonly raw: string;
  /** One word, or those of an array. */
  readonly values: readonly ShellWord[];
  readonly isArray: boolean;
}

export interface Redirect {
  readonly operator: string;
  readonly raw: string;
  /** A file, a descriptor, or the text of a here-string. For a here-document its body. */
  readonly target: ShellWord;
}

export interface SimpleNode {
  readonly kind: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  /** Array values among the words of `declare` and its like. */
  readonly arrays: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  readonly text: string;
}

export interface CompoundNode {
  readonly kind: 'group' | 'subshell' | 'branches' | 'loop' | 'function' | 'test';
  /** Of a function, or of the variable that a loop sets. */
  readonly name?: string;
  /** What a loop goes through, what `case` compares, what `[[` tests. */
  readonly words: readonly ShellWord[];
  readonly bodies: readonly Script[];
  readonly redirects: readonly Redirect[];
  readonly text: string;
}

/** A compound command without its redirections. */
export type CompoundBody = Omit<CompoundNode, 'redirects' | 'text'>;

export type CommandNode = SimpleNode | CompoundNode;

/** Commands joined by `|`. */
export type Pipeline = readonly CommandNode[];

export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly {readonly operator: '&&' | '||'; readonly pipeline: Pipeline}[];
  readonly isBackground: boolean;
}

export type Script = readonly AndOr[];

/** Something that is computed with: bash runs substitutions that it finds in the *values* of the variables there. */
export interface Arithmetic {
  readonly text: string;
  readonly names: readonly string[];
  readonly isOpen: boolean;
  readonly scripts: readonly NestedScript[];
}

/** What came of reading a text. */
export interface Reading {
  readonly script: Script;
  /** Where each command's name stands, and each `[[`. */
  readonly starts: readonly number[];
  readonly arithmetic: readonly Arithmetic[];
  readonly functions: ReadonlySet<string>;
  readonly doubts: readonly Doubt[];
  /** Whether it uses what other shells read otherwise. */
  readonly isBashOnly: boolean;
}
