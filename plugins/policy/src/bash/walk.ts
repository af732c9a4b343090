import type {Doubt, FileUse, ShellPlace, SimpleCommand} from './analysis.js';
import type {Flow} from './flow.js';
import {ANY, shapeOf, unique} from './shape.js';
import type {Reading, ShellWord} from './syntax.js';
import type {Variables} from './variable-values.js';

/**
 * Every directory that it may be, as shapes (`shape.ts`): one of them is the hole for anything when it is unknown.
 */
export type Directories = readonly string[];

/** An unknown directory. */
export const NOWHERE_KNOWN: Directories = [ANY];

/** Where a command stands. */
export interface Position {
  readonly via: readonly string[];
  readonly directories: Directories;
  /**
   * What it reads: a text that the line holds, lines of which something is known, something else, or what the line
   * itself was given.
   */
  readonly input:
    | {readonly kind: 'text'; readonly text: string}
    | {readonly kind: 'open'; readonly lines?: readonly string[]}
    | {readonly kind: 'inherited'};
  /** Whether another shell than bash reads it. */
  readonly isForeign: boolean;
  /** Whether a shell that starts here has the home of the line: what sets variables may give it another one. */
  readonly isHomeKnown: boolean;
}

/** Where the shell is after a command, should it succeed or fail. */
export interface Outcome {
  readonly success: Directories;
  readonly failure: Directories;
}

/** Everything that is found while a line is gone through. */
export interface Walk extends Variables {
  readonly place: ShellPlace;
  readonly commands: SimpleCommand[];
  readonly files: FileUse[];
  readonly doubts: Doubt[];
  readonly functions: Set<string>;
  readonly flow: Flow;
  /** Every directory that a `pushd` or a `cd` of the line may have led to. */
  readonly visited: Set<string>;
  redirects: boolean;
  changes: boolean;
  /** It makes folders. */
  makesFolders: boolean;
  /** It makes links. */
  makesLinks: boolean;
  /** Something runs in the background. */
  isBeside: boolean;
  /** A function changes the directory. */
  movesInFunction: boolean;
  /** How many commands may still be gone through. */
  steps: number;
  readonly read: (text: string, position: Position) => Reading;
  /** Goes through a command and what it runs in turn. */
  readonly run: (words: readonly ShellWord[], position: Position, text: string) => Outcome;
  /** Goes through a text that a shell is handed. */
  readonly runText: (text: string, position: Position) => Outcome;
}

/** What knows how one command, or many alike, runs others. Nothing returned = it stays where it is. */
export type Handler = (walk: Walk, words: readonly ShellWord[], position: Position) => Outcome | void;

/** Stays where it is. */
export function stay({directories}: Position): Outcome {
  return {success: directories, failure: directories};
}

/** It may be anywhere afterwards. */
export const LOST: Outcome = {success: NOWHERE_KNOWN, failure: NOWHERE_KNOWN};

export function mergeDirectories(a: Directories, b: Directories): Directories {
  return a === b ? a : unique([...a, ...b]);
}

export function joinWords(words: readonly ShellWord[]): string {
  return words.map(({raw}) => raw).join(' ');
}

/** Notes that only running could tell what runs. */
export function doubt(walk: Walk, reason: string, text: string): void {
  walk.doubts.push({kind: 'dynamic', reason, text});
}

/** Notes that only running could tell what runs, where what it works on is written in the line. */
export function doubtProgram(walk: Walk, reason: string, text: string): void {
  walk.doubts.push({kind: 'dynamic', reason, text, showsFiles: true});
}

/** Goes through a text that a word holds, when it is known. */
export function runWordAsText(walk: Walk, word: ShellWord, position: Position): Outcome {
  if (word.value !== undefined) return walk.runText(word.value, position);
  doubt(walk, 'What it hands to a shell is decided while it runs.', word.raw);
  return LOST;
}

/**
 * A word that becomes something else while a command runs: the `{}` of find, what xargs adds. `shapes`: what it may
 * become.
 */
export function openWord(raw: string, lead = '', shapes: readonly string[] = [shapeOf(lead) + ANY]): ShellWord {
  const mark = String.fromCharCode(0xe100);
  return {
    raw,
    start: 0,
    value: undefined,
    lead,
    splits: lead === '',
    isQuoted: true,
    isNumber: false,
    names: [],
    isOpen: true,
    scripts: [],
    form: mark,
    expansions: [{kind: 'shapes', shapes, isQuoted: true}],
  };
}
