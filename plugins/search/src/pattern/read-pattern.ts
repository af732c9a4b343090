import type {AST, RegExpParser} from '@eslint-community/regexpp';
import {escapeHint, patternFault, type Fault, type GivenPattern} from './pattern-fault.js';
import {patternStructure} from './pattern-structure.js';

/** A pattern taken apart. */
export interface ReadPattern {
  readonly tree: AST.Pattern;
  /** The character that one of the tree stands for: in lenient reading, one beyond U+FFFF is kept as another. */
  character(value: number): number;
  /** Where a place of the tree is in the given text. */
  indexOf(at: number): number;
}

/** Deeper nesting is refused before anything recurses over it. */
const DEEPEST = 100;

/** These mean what they mean only in strict reading. */
const STRICT_ONLY = /(?<!\\)(?:\\\\)*\\(?:[pP]\{|u\{)/;
const INLINE_FLAGS = /^\(\?[a-zA-Z]*-?[a-zA-Z]+[:)]/;

/**
 * Takes a pattern apart as JavaScript's `u` flag would, and if that fails as JavaScript without it does, where `{` and
 * `]` may be themselves; `start` is where it begins. Throws PATTERN_INVALID.
 */
export async function readPattern(given: GivenPattern, start: number): Promise<ReadPattern> {
  const {text} = given;
  const {tooDeepAt, fault} = patternStructure(text, DEEPEST);
  if (tooDeepAt !== undefined)
    throw patternFault(given, {
      what: `groups nested more than ${String(DEEPEST)} deep`,
      at: tooDeepAt,
      hint: 'Ask for less at once.',
    });
  const {RegExpParser} = await import('@eslint-community/regexpp');
  // Later editions have what the oldest Node.js we run on does not.
  const parser = new RegExpParser({ecmaVersion: 2024});
  const strict = attempt(parser, text.slice(start), true);
  if ('tree' in strict) return {tree: strict.tree, character: (value) => value, indexOf: (at) => start + at};
  const plain = replaceAstral(text.slice(start));
  const lenient = STRICT_ONLY.test(text) ? strict : attempt(parser, plain.text, false);
  if ('tree' in lenient)
    return {tree: lenient.tree, character: plain.character, indexOf: (at) => start + plain.indexOf(at)};
  const index = start + (lenient === strict ? lenient.index : plain.indexOf(lenient.index));
  throw patternFault(given, chooseFault(given, fault, {what: lenient.what, at: index}), lenient.cause);
}

type Attempt = {readonly tree: AST.Pattern} | {readonly what: string; readonly index: number; readonly cause: unknown};

function attempt(parser: RegExpParser, text: string, unicode: boolean): Attempt {
  try {
    return {tree: parser.parsePattern(text, 0, text.length, {unicode})};
  } catch (cause) {
    if (!(cause instanceof Error && 'index' in cause && typeof cause.index === 'number')) throw cause;
    // The parser puts the pattern before what it has to say.
    const what = cause.message.slice(`Invalid regular expression: /${text}/${unicode ? 'u' : ''}: `.length);
    // It names the place after what it has read.
    return {what: what.charAt(0).toLowerCase() + what.slice(1), index: Math.max(0, cause.index - 1), cause};
  }
}

function chooseFault(
  given: GivenPattern,
  bracket: {what: string; at: number} | undefined,
  parsed: {what: string; at: number},
): Fault {
  if (INLINE_FLAGS.test(given.text.slice(parsed.at))) {
    return {
      what: 'inline flags',
      at: parsed.at,
      hint:
        'Leave them out: only (?i) at the beginning is known, `.` stops at line ends, and ^ and $ are those of each ' +
        'line.',
    };
  }
  if (given.text.startsWith('(?P<', parsed.at))
    return {what: 'a group named as in Python', at: parsed.at, hint: 'Write (?<name>...) instead.'};
  const fault = bracket ?? parsed;
  return {...fault, hint: escapeHint(given, fault.at)};
}

/**
 * Without the `u` flag a character beyond U+FFFF is two: each is replaced by a single one that the text does not use,
 * in the same order.
 */
function replaceAstral(text: string): {text: string; character(value: number): number; indexOf(at: number): number} {
  const astral = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\[\0-\uffff]|[\u{10000}-\u{10ffff}]/giu;
  const found = [...text.matchAll(astral)].flatMap((match) => {
    const value =
      match[1] === undefined
        ? (match[0].codePointAt(0) ?? 0)
        : String.fromCharCode(parseInt(match[1], 16), parseInt(match[2] ?? '', 16)).codePointAt(0);
    return value !== undefined && value > 0xffff ? [{value, at: match.index, length: match[0].length}] : [];
  });
  const meaning = standIns(text, [...new Set(found.map(({value}) => value))]);
  const standIn = new Map([...meaning].map(([from, to]) => [to, from]));
  let replaced = '';
  const indexes: number[] = [];
  const copy = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) indexes.push(at);
    replaced += text.slice(from, to);
  };
  let end = 0;
  for (const {value, at, length} of found) {
    copy(end, at);
    indexes.push(at);
    replaced += String.fromCharCode(standIn.get(value) ?? 0xfffd);
    end = at + length;
  }
  copy(end, text.length);
  return {
    text: replaced,
    character: (value) => meaning.get(value) ?? value,
    indexOf: (at) => indexes[at] ?? text.length,
  };
}

/** From the end of the first plane downwards, so that ranges which end in one of them stay in order. */
function standIns(text: string, characters: readonly number[]): Map<number, number> {
  const meaning = new Map<number, number>();
  const lower = text.toLowerCase();
  let next = 0xffff;
  for (const character of [...characters].sort((a, b) => b - a)) {
    while (text.includes(String.fromCharCode(next)) || lower.includes(`\\u${next.toString(16)}`)) next -= 1;
    meaning.set(next, character);
    next -= 1;
  }
  return meaning;
}
