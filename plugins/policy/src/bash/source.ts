import type {Doubt} from './analysis.js';
import {CLOSE, COMMA, OPEN} from './braces.js';
import {ANY, ONE, shapeOf, STAR} from './shape.js';
import type {Arithmetic, Expansion, NestedScript, Redirect, Script, ShellWord, SimpleNode} from './syntax.js';

/** A text being read, and what was noticed on the way. */
export interface Source {
  readonly text: string;
  /** Undefined where only running could tell it. */
  readonly home: string | undefined;
  at: number;
  /** Reading stops here, as at the end of the text. */
  end: number;
  depth: number;
  /** Here-documents whose bodies begin after the next newline. */
  pending: PendingDocument[];
  readonly starts: number[];
  readonly finished: SimpleNode[];
  readonly arithmetic: Arithmetic[];
  readonly functions: Set<string>;
  readonly doubts: Doubt[];
  isBashOnly: boolean;
  /** Reads commands up to a closing parenthesis or the end. Passed in: words contain scripts and scripts words. */
  readonly readScript: (source: Source, isClosed: boolean) => Script;
}

export interface PendingDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  /** `<<-`: leading tabs do not count. */
  readonly isIndented: boolean;
  readonly redirect: {-readonly [K in keyof Redirect]: Redirect[K]};
}

/** A word while it is being put together. */
export interface Draft {
  value: string | undefined;
  lead: string;
  /** The unquoted characters, others as NUL: what globs, braces and tildes are looked for in. */
  shape: string;
  /** The part of the shape that belongs to `lead`, character by character. */
  leadShape: string;
  splits: boolean;
  isQuoted: boolean;
  isNumber: boolean;
  isOpen: boolean;
  names: string[];
  scripts: NestedScript[];
  form: string;
  expansions: Expansion[];
}

/** The mark of an expansion in the form of a word: the first, and how many there are. */
export const FIRST_MARK = 0xe100;
const MARKS = 0x400;
/** Brackets that may be a glob. */
export const OPEN_CLASS = '\uE013';
export const CLOSE_CLASS = '\uE014';
const UNQUOTED: Readonly<Record<string, string>> = {
  '{': OPEN,
  ',': COMMA,
  '}': CLOSE,
  '*': STAR,
  '?': ONE,
  '[': OPEN_CLASS,
  ']': CLOSE_CLASS,
};

/** Thrown where the text is not, or not surely, what bash would read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  constructor(
    reason: string,
    readonly at: number,
  ) {
    super(reason);
  }
}

const MAX_DEPTH = 40;

/** Ends the reading with a reason. */
export function fail(source: Source, reason: string): never {
  throw new Unreadable(reason, source.at);
}

/** Goes one level deeper for the time of `read`; what nests too deep is not read. */
export function nested<T>(source: Source, read: () => T): T {
  if (source.depth >= MAX_DEPTH) fail(source, 'It nests too deep to be read.');
  source.depth += 1;
  const result = read();
  source.depth -= 1;
  return result;
}

/** The character at an offset from here; empty at the end. */
export function peek(source: Source, offset = 0): string {
  const at = source.at + offset;
  return at < source.end ? (source.text[at] as string) : '';
}

export function startsWith(source: Source, text: string): boolean {
  return source.at + text.length <= source.end && source.text.startsWith(text, source.at);
}

/** Whether a character ends a word. */
export function isMeta(character: string): boolean {
  return character === '' || ' \t\n;&|<>()'.includes(character);
}

/** Skips blanks, joined lines, and a comment when one begins here. */
export function skipBlanks(source: Source): void {
  for (;;) {
    const character = peek(source);
    if (character === ' ' || character === '\t') source.at += 1;
    else if (character === '\\' && peek(source, 1) === '\n') source.at += 2;
    else break;
  }
  if (peek(source) !== '#') return;
  const end = source.text.indexOf('\n', source.at);
  source.at = end < 0 || end > source.end ? source.end : end;
}

export function newDraft(): Draft {
  return {
    value: '',
    lead: '',
    shape: '',
    leadShape: '',
    splits: false,
    isQuoted: false,
    isNumber: true,
    isOpen: false,
    names: [],
    scripts: [],
    form: '',
    expansions: [],
  };
}

/** Adds known text to a word. */
export function addText(draft: Draft, text: string, isQuoted: boolean): void {
  const shape = isQuoted ? '\0'.repeat(text.length) : text;
  if (draft.value !== undefined) {
    draft.value += text;
    draft.lead += text;
    draft.leadShape += shape;
  }
  draft.form +=
    isQuoted || !/[{},*?[\]]/.test(text)
      ? shapeOf(text)
      : shapeOf(text).replaceAll(/[{},*?[\]]/g, (character) => UNQUOTED[character] as string);
  if (isQuoted) draft.isQuoted = true;
  // Empty quotes count too: "" before a tilde keeps it from being one.
  draft.shape += shape || '\0';
  if (draft.isNumber && /\D/.test(text)) draft.isNumber = false;
}

/** What an expansion means for the word that it stands in. */
export interface Unknown {
  readonly splits: boolean;
  readonly isNumber?: boolean;
  readonly isOpen?: boolean;
  readonly names?: readonly string[];
  /** What it becomes, as far as that is known; anything when absent. */
  readonly expansion?: Expansion;
}

/** Adds to a word something that only running could tell. */
export function addUnknown(
  draft: Draft,
  {splits, isNumber = false, isOpen = false, names = [], expansion}: Unknown,
): void {
  if (draft.expansions.length < MARKS) {
    draft.form += String.fromCharCode(FIRST_MARK + draft.expansions.length);
    draft.expansions.push(expansion ?? {kind: 'shapes', shapes: [ANY], isQuoted: !splits});
  } else draft.form += ANY;
  draft.value = undefined;
  draft.isQuoted = true;
  draft.shape += '\0';
  draft.splits ||= splits;
  draft.isNumber &&= isNumber;
  draft.isOpen ||= isOpen;
  draft.names.push(...names);
}

/** A word whose text is known, made of nothing that was written: the parts of `env -S`, a plain line. */
export function plainWord(value: string, start = 0): ShellWord {
  return {
    raw: value,
    start,
    value,
    lead: value,
    splits: false,
    isQuoted: false,
    isNumber: /^\d+$/.test(value),
    names: [],
    isOpen: false,
    scripts: [],
    form: shapeOf(value),
    expansions: [],
  };
}

/** A word without what it surely begins with: the name of an option, and `=`. */
export function cutWord(word: ShellWord, length: number): ShellWord {
  return {...word, value: word.value?.slice(length), lead: word.lead.slice(length), form: word.form.slice(length)};
}

/** Takes the characters up to the first that is not one of a run. */
export function takeRun(source: Source, isOfRun: (code: number) => boolean): string {
  const start = source.at;
  while (source.at < source.end && isOfRun(source.text.charCodeAt(source.at))) source.at += 1;
  return source.text.slice(start, source.at);
}
