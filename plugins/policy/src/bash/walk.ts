import type {Doubt, FileUse, ShellPlace, SimpleCommand, Word} from './analysis.js';
import type {Flow} from './flow.js';
import type {Reading, ShellWord} from './syntax.js';

/** A directory; undefined when it cannot be told, null where a line never gets. */
export type Directory = string | undefined | null;

/** Where a command stands. */
export interface Position {
  readonly via: readonly string[];
  readonly directory: Directory;
  /** What it reads: a text that the line holds, something else, or what the line itself was given. */
  readonly input: {readonly kind: 'text'; readonly text: string} | {readonly kind: 'open' | 'inherited'};
  /** Whether another shell than bash reads it. */
  readonly isForeign: boolean;
}

/** Where the shell is after a command, should it succeed or fail. */
export interface Outcome {
  readonly success: Directory;
  readonly failure: Directory;
}

/** Everything that is found while a line is gone through. */
export interface Walk {
  readonly place: ShellPlace;
  readonly commands: SimpleCommand[];
  readonly files: FileUse[];
  readonly doubts: Doubt[];
  readonly functions: Set<string>;
  readonly flow: Flow;
  redirects: boolean;
  /** A function changes the directory. */
  movesInFunction: boolean;
  readonly read: (text: string) => Reading;
  /** Goes through a command and what it runs in turn. */
  readonly run: (words: readonly ShellWord[], position: Position, text: string) => Outcome;
  /** Goes through a text that a shell is handed. */
  readonly runText: (text: string, position: Position) => Outcome;
}

/** What knows how one command, or many alike, runs others. Nothing returned = it stays where it is. */
export type Handler = (walk: Walk, words: readonly ShellWord[], position: Position) => Outcome | void;

/** Stays where it is. */
export function stay({directory}: Position): Outcome {
  return {success: directory, failure: directory};
}

export function mergeDirectories(a: Directory, b: Directory): Directory {
  if (a === null || b === null) return a === null ? b : a;
  return a === b ? a : undefined;
}

export function joinWords(words: readonly ShellWord[]): string {
  return words.map(({raw}) => raw).join(' ');
}

export function toWord({raw, value}: ShellWord): Word {
  return {raw, value};
}

/** Notes that only running could tell what runs. */
export function doubt(walk: Walk, reason: string, text: string): void {
  walk.doubts.push({kind: 'dynamic', reason, text});
}

/** Goes through a text that a word holds, when it is known. */
export function runWordAsText(walk: Walk, word: ShellWord, position: Position): Outcome {
  if (word.value !== undefined) return walk.runText(word.value, position);
  doubt(walk, 'What it hands to a shell is decided while it runs.', word.raw);
  return stay(position);
}

/** A word that becomes something else while a command runs: the `{}` of find, what xargs adds. */
export function openWord(raw: string, lead = ''): ShellWord {
  return {raw, start: 0, value: undefined, lead, splits: lead === '', isQuoted: true, isNumber: false, names: [], isOpen: true, scripts: []};
}
