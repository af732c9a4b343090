import type {AST} from '@eslint-community/regexpp';
import {referredGroups} from './back-reference.js';
import {characterSet, WORD, type CharacterSet, type Letters, type SetNode} from './character-set.js';
import {codePoints, type CodePoints} from './code-points.js';
import {matchesEmptyPlaces} from './empty-place.js';
import {impossiblePart} from './impossible-line.js';
import {letterCases} from './letter-cases.js';
import type {LinePattern} from './line-pattern.js';
import {patternFault, type GivenPattern} from './pattern-fault.js';
import {pcreLanguage} from './pcre-language.js';
import {readPattern, type ReadPattern} from './read-pattern.js';
import {rustLanguage} from './rust-language.js';
import {scriptLanguage} from './script-language.js';
import {spellPattern, type SettledPattern} from './spell-pattern.js';
import {groupDepth, mostTurns, PCRE_COSTS, RUST_COSTS, unrolledSize} from './unrolled-size.js';

export interface PatternOptions {
  readonly isLiteral: boolean;
  readonly isCaseSensitive: boolean;
  /** The name of the parameter that the pattern was given as, for errors. */
  readonly parameter: string;
}

const IGNORE_CASE = '(?i)';

/** Larger ones are refused by the engines, or make them slow. */
const LARGEST = {rust: 60_000, pcre: 30_000};

/** ripgrep's own engine goes 250 deep, and counts alternatives, sequences and repetitions, too. */
const DEEPEST_RUST = 50;

/** V8 looks between the halves of a character, too, where none begins. */
const NOT_IN_A_CHARACTER = '(?=[^]|$)';

/** PCRE2 counts no further. */
const MOST_PCRE_TURNS = 65_535;

/** No program takes a longer argument. */
const LONGEST_ARGUMENT = 100_000;

/**
 * What a text means as a pattern: a regular expression of JavaScript, held against one line at a time, or the text
 * itself. Throws PATTERN_INVALID, which names the position, for one that cannot be read or that no line can match.
 *
 * `.` is any character of a line; no part of a pattern matches a line end, or bytes that are no UTF-8. `\d`, `\w` and
 * `\b` are those of ASCII whether or not case counts, and so are properties what they say. Only where case does not
 * count and there are back-references do the long s and the Kelvin sign belong to `\w`, as JavaScript has it.
 */
export async function compilePattern(
  text: string,
  {isLiteral, isCaseSensitive, parameter}: PatternOptions,
): Promise<LinePattern> {
  const given = {text, parameter};
  refuseCharacter(given, /[\ud800-\udfff]/u, 'half of a character', 'Leave it out.');
  refuseCharacter(given, /\0/, 'a zero character, which no line has,', 'Leave it out.');
  if (isLiteral) return literalPattern(given, isCaseSensitive);
  const start = text.startsWith(IGNORE_CASE) ? IGNORE_CASE.length : 0;
  const read = await readPattern(given, start);
  const part = impossiblePart(read.tree.alternatives);
  if (part !== undefined)
    throw patternFault(given, {
      ...part,
      at: read.indexOf(part.at),
      hint: 'Search for a part of one line; $ is its end.',
    });
  return spell(given, read, isCaseSensitive && start === 0);
}

function literalPattern(given: GivenPattern, isCaseSensitive: boolean): LinePattern {
  const {text} = given;
  refuseCharacter(
    given,
    /[\n\r]/,
    'a line end, where a pattern is held against one line at a time,',
    'Search for a part of one line.',
  );
  const withCases = letterCases();
  // Written out it is several times faster than with the flag for case.
  const inAnyCase = (character: string): string =>
    scriptLanguage.set({points: withCases(onlyCharacter(character)), properties: [], isNegated: false}) ?? '';
  const source = isCaseSensitive ? text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : [...text].map(inAnyCase).join('');
  const isShort = Buffer.byteLength(text) <= LONGEST_ARGUMENT;
  return {
    given: text,
    isCaseSensitive,
    isLiteral: true,
    script: {source, flags: 'u'},
    ...(isShort && {rust: text, pcre: text}),
  };
}

function onlyCharacter(character: string): CodePoints {
  const point = character.codePointAt(0) ?? 0;
  return [[point, point]];
}

function spell(given: GivenPattern, read: ReadPattern, isCaseSensitive: boolean): LinePattern {
  const pattern = settle(read, isCaseSensitive);
  const isAboutPlaces = matchesEmptyPlaces(read.tree);
  const source = spellPattern(pattern, scriptLanguage) ?? '';
  const script = {
    source: isAboutPlaces ? `${NOT_IN_A_CHARACTER}(?:${source})` : source,
    flags: pattern.isFoldingReferences ? 'iu' : 'u',
  };
  checkSize(given, script);
  const isBeyondRust =
    groupDepth(read.tree.alternatives) > DEEPEST_RUST || unrolledSize(pattern, RUST_COSTS) > LARGEST.rust;
  const rust = isBeyondRust ? undefined : finished(spellPattern(pattern, rustLanguage), isCaseSensitive);
  const isBeyondPcre =
    isAboutPlaces ||
    mostTurns(read.tree.alternatives) > MOST_PCRE_TURNS ||
    unrolledSize(pattern, PCRE_COSTS) > LARGEST.pcre;
  const pcre = isBeyondPcre ? undefined : finished(spellPattern(pattern, pcreLanguage(pattern)), isCaseSensitive);
  return {
    given: given.text,
    isCaseSensitive,
    isLiteral: false,
    script,
    ...(rust !== undefined && {rust}),
    ...(pcre !== undefined && {pcre}),
  };
}

/** Node.js compiles a pattern when it is first used, and may find it too large only then. */
function checkSize(given: GivenPattern, {source, flags}: LinePattern['script']): void {
  try {
    new RegExp(source, flags).test('');
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause;
    throw patternFault(
      given,
      {what: 'more than the engine can hold', at: 0, hint: 'Ask for less at once, or repeat less often.'},
      cause,
    );
  }
}

function settle({tree, character}: ReadPattern, isCaseSensitive: boolean): SettledPattern {
  const groups = referredGroups(tree);
  const isFoldingReferences = !isCaseSensitive && groups.size > 0;
  const withCases = letterCases();
  const letters: Letters = {
    word: isFoldingReferences ? withCases(codePoints(WORD)) : WORD,
    ...(!isCaseSensitive && {withCases}),
  };
  const sets = new Map<AST.Node, CharacterSet>();
  const set = (node: SetNode): CharacterSet => {
    const known = sets.get(node) ?? characterSet(node, character, letters);
    sets.set(node, known);
    return known;
  };
  return {tree, letters, isFoldingReferences, groups, set};
}

/**
 * Letters are written in both cases where case does not count, so a switch for case would only do harm: to `\w`, for
 * one.
 */
function finished(text: string | undefined, isCaseSensitive: boolean): string | undefined {
  return text === undefined || text.length > LONGEST_ARGUMENT ? undefined : `${isCaseSensitive ? '' : '(?-i)'}${text}`;
}

function refuseCharacter(given: GivenPattern, character: RegExp, what: string, hint: string): void {
  const at = given.text.search(character);
  if (at >= 0) throw patternFault(given, {what, at, hint});
}
