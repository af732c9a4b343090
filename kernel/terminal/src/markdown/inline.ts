import {widthOf} from '../graphemes.js';
import type {Style} from '../style.js';
import type {Look} from './look.js';

/** How far to look for the end of a marked piece, and so how much of a line is held back at most. */
const REACH = 1000;
/** How many other marks may precede that end. */
const MOST_MARKS = 40;

/** The displayable part of a line, and the position from which it is not yet certain. */
export interface Rendered {
  readonly shown: string;
  readonly at: number;
}

interface Line {
  readonly text: string;
  /** Whether the line is complete. */
  readonly isWhole: boolean;
  readonly look: Look;
}

/** A parsed marked piece; `open` = it may end in later text; undefined = not a marked piece. */
type Piece = Rendered | 'open' | undefined;

const ORDINARY = /[^\\`*_~[!]+/y;
const styles: Readonly<Record<string, readonly Style[]>> = {
  '*': ['emphasis'],
  _: ['emphasis'],
  '**': ['strong'],
  __: ['strong'],
  '***': ['strong', 'emphasis'],
  ___: ['strong', 'emphasis'],
  '~~': ['struck'],
};

/** Renders emphasis, code and links of a line from `from` on, as far as it is certain. */
export function renderInline(line: Line, from: number): Rendered {
  const {text, isWhole} = line;
  let shown = '';
  let at = from;
  while (at < text.length) {
    ORDINARY.lastIndex = at;
    const ordinary = ORDINARY.exec(text)?.[0];
    if (ordinary !== undefined) {
      shown += ordinary;
      at += ordinary.length;
      continue;
    }
    const piece = readPiece(line, at);
    if (piece === 'open' && !isWhole) return {shown, at};
    if (typeof piece === 'object') {
      shown += piece.shown;
      at = piece.at;
    } else {
      const run = runAt(text, at);
      shown += run;
      at += run.length;
    }
  }
  return {shown, at};
}

function readPiece(line: Line, at: number): Piece {
  const {text, isWhole} = line;
  const run = runAt(text, at);
  // A run that reaches the end may become longer.
  if (!isWhole && at + run.length === text.length) return 'open';
  switch (text[at]) {
    case '\\':
      return readEscaped(line, at);
    case '`':
      return readCode(line, at, run);
    case '!':
      return text[at + 1] === '[' ? readLink(line, at, at + 1) : undefined;
    case '[':
      return readLink(line, at, at);
    default:
      return readEmphasis(line, at, run);
  }
}

/** The same character repeated; only `!`, `[` and the backslash always stand alone. */
function runAt(text: string, at: number): string {
  const character = text[at] ?? '';
  if ('![\\'.includes(character)) return character;
  let end = at + 1;
  while (text[end] === character) end += 1;
  return text.slice(at, end);
}

function readEscaped({text}: Line, at: number): Piece {
  const next = text[at + 1] ?? '';
  return /[!-/:-@[-`{-~]/.test(next) ? {shown: next, at: at + 2} : undefined;
}

function readCode({text, isWhole, look}: Line, at: number, run: string): Piece {
  const limit = Math.min(text.length, at + REACH);
  let end = at + run.length;
  let marks = 0;
  while (end < limit && marks < MOST_MARKS) {
    if (text[end] !== '`') {
      end += 1;
      continue;
    }
    const closing = runAt(text, end);
    if (!isWhole && end + closing.length === text.length) return 'open';
    if (closing.length === run.length) {
      const code = text.slice(at + run.length, end);
      return {
        shown: look.paint('code', look.keepsMarks ? text.slice(at, end + closing.length) : code),
        at: end + closing.length,
      };
    }
    end += closing.length;
    marks += 1;
  }
  return limit < at + REACH && marks < MOST_MARKS ? 'open' : undefined;
}

function readEmphasis(line: Line, at: number, run: string): Piece {
  const {text, look} = line;
  const style = styles[run];
  const next = text[at + run.length];
  if (!style || next === undefined || /\s/.test(next) || (run.startsWith('_') && isWord(text[at - 1])))
    return undefined;
  const end = findClosing(line, at + run.length, run, at + REACH);
  if (typeof end !== 'number') return end;
  const {shown} = renderInline({...line, text: text.slice(at + run.length, end), isWhole: true}, 0);
  const marked = look.keepsMarks ? run + shown + run : shown;
  return {shown: style.reduce((inner, one) => look.paint(one, inner), marked), at: end + run.length};
}

function findClosing({text, isWhole}: Line, from: number, run: string, reach: number): number | 'open' | undefined {
  const limit = Math.min(text.length, reach);
  let at = from;
  let marks = 0;
  while (at < limit && marks < MOST_MARKS) {
    const character = text[at];
    if (character === '\\') at += 2;
    else if (character !== run[0]) at += 1;
    else {
      const closing = runAt(text, at);
      const after = text[at + closing.length];
      if (after === undefined && !isWhole) return 'open';
      if (closing.length === run.length && closesEmphasis(run, {before: text[at - 1], after})) return at;
      at += closing.length;
      marks += 1;
    }
  }
  return limit < reach && marks < MOST_MARKS ? 'open' : undefined;
}

interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Whether the run of marks at this position closes one of the same length. */
function closesEmphasis(run: string, {before, after}: Neighbours): boolean {
  return !/\s/.test(before ?? ' ') && !(run.startsWith('_') && isWord(after));
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** `[text](address)`, and the same for pictures: the text, with the address if it differs. */
function readLink(line: Line, at: number, bracket: number): Piece {
  const {text, look, isWhole} = line;
  const reach = at + REACH;
  const close = findBracket(text, bracket, reach, ['[', ']']);
  if (typeof close !== 'number') return close;
  if (text[close + 1] === undefined && !isWhole) return 'open';
  if (text[close + 1] !== '(') return undefined;
  const end = findBracket(text, close + 1, reach, ['(', ')']);
  if (typeof end !== 'number') return end;
  const address = text
    .slice(close + 2, end)
    .trim()
    .replace(/\s+(?:"[^"]*"|'[^']*')$/, '');
  const label = text.slice(bracket + 1, close);
  const {shown} = renderInline({text: label, isWhole: true, look}, 0);
  const named =
    label === address || widthOf(label) === 0
      ? look.paint('underlined', address)
      : `${shown} (${look.paint('underlined', address)})`;
  return {shown: named, at: end + 1};
}

function findBracket(
  text: string,
  from: number,
  reach: number,
  [open, close]: readonly [string, string],
): number | 'open' | undefined {
  let depth = 0;
  const limit = Math.min(text.length, reach);
  for (let at = from; at < limit; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === open) depth += 1;
    else if (character === close) depth -= 1;
    if (depth === 0) return at;
    if (depth > MOST_MARKS) return undefined;
  }
  return text.length < reach ? 'open' : undefined;
}
