import {posix, win32} from 'node:path';
import type {Word} from '../bash/analysis.js';
import {isOpen} from '../bash/shape.js';
import {compilePattern} from '../read/compile-pattern.js';
import type {CommandCondition} from '../rule.js';
import {literalOfRegex} from './gram-index.js';

/** One command, as rules see it. */
export interface JudgedCommand {
  readonly text: string;
  /** Absent when a whole line is meant, which has no words of its own. */
  readonly words: readonly Word[] | undefined;
  /** Nothing is known of the program: it may run what its words name. */
  readonly isStrange?: boolean;
}

/** `maybe`: only running it could tell. */
export type Match = 'yes' | 'maybe' | 'no';

/** A regular expression that is compiled when a text first comes near it. */
export interface Pattern {
  readonly source: string;
  /** Undefined when that was not known in time. */
  test(text: string): boolean | undefined;
}

/** Makes a pattern, which was checked when it was read. */
export function makePattern(source: string, anchored = false): Pattern {
  let test: ReturnType<typeof compilePattern> | undefined;
  let literal: string | undefined;
  return {
    source,
    test: (text) =>
      text.includes((literal ??= literalOfRegex(source))) && (test ??= compilePattern(source, {anchored}))(text),
  };
}

/** What is compared with a command: the condition of a rule, made ready. */
export interface CommandTest {
  /** The words it asks for. */
  readonly tokens: readonly string[];
  readonly pattern: Pattern | undefined;
  /** Whether the pattern is written against text inside JSON quotes. */
  readonly isEscaped: boolean;
}

/** Makes a condition ready. */
export function compileCommand(condition: CommandCondition): CommandTest {
  if ('prefix' in condition)
    return {tokens: condition.prefix.trim().split(/\s+/), pattern: undefined, isEscaped: false};
  const {pattern, anchored} = condition;
  return {tokens: [], pattern: makePattern(pattern, anchored), isEscaped: anchored};
}

/**
 * Whether a command is what a rule that *permits* speaks about: every word that counts must be known and as written.
 */
export function permits(test: CommandTest, {words, text}: JudgedCommand): boolean {
  if (words === undefined) return false;
  if (test.pattern)
    return (
      words[0]?.value !== undefined &&
      (test.pattern.test(text) === true || (test.isEscaped && test.pattern.test(escape(text)) === true))
    );
  return test.tokens.every((token, index) => words[index]?.value === token);
}

/**
 * Whether a command may be what a rule that *restricts* speaks about: under another path, with options in between, with
 * words that are unknown.
 */
export function restricts(test: CommandTest, command: JudgedCommand): Match {
  if (test.pattern) return restrictsByPattern(test, command);
  const [name, ...others] = command.words ?? [];
  if (!name) return 'no';
  if (name.value === undefined) return 'maybe';
  const [first = '', ...rest] = test.tokens;
  if (!isCommand(name.value, first))
    return isParted(name.value, test.tokens) || (command.isStrange && launches(test.tokens, others)) ? 'maybe' : 'no';
  if (rest.every((token, index) => others[index]?.value === token)) return 'yes';
  return reaches(rest, others) ? 'maybe' : 'no';
}

function restrictsByPattern(test: CommandTest, {text, words, isStrange = false}: JudgedCommand): Match {
  const match = matchPattern(test, text, words);
  return match === 'no' && isStrange ? patternLaunches(test, words ?? []) : match;
}

function matchPattern({pattern, isEscaped}: CommandTest, text: string, words: readonly Word[] | undefined): Match {
  const plain = words?.map(({value, raw}) => value ?? raw).join(' ') ?? text;
  if ([text, plain].some((one) => pattern?.test(isEscaped ? escape(one) : one) !== false)) return 'yes';
  return words !== undefined && words.length > 0 && words[0]?.value === undefined ? 'maybe' : 'no';
}

/** Whether a program is one of those that a command with subcommands is made of: `git-push`. */
function isParted(name: string, [first = '', second]: readonly string[]): boolean {
  return second !== undefined && baseOf(name) === `${baseOf(first)}-${second}`;
}

/** Whether an unknown program may run, because of its words, what a rule means. */
function launches([first = '', ...rest]: readonly string[], words: readonly Word[]): boolean {
  return words.some((word, index) => {
    const texts = textsOf(word).filter((text) => mentions(text, first));
    if (texts.length === 0) return false;
    return (
      reaches(rest, words.slice(index + 1)) ||
      texts.some((text) => rest.every((token) => text?.includes(token) ?? true))
    );
  });
}

/** The same for a rule with a pattern: each word may be where a command begins. */
function patternLaunches({pattern, isEscaped}: CommandTest, words: readonly Word[]): Match {
  const texts = words.map(({value, raw}) => value ?? raw);
  const tails = texts.flatMap((text, index) => [texts.slice(index).join(' '), text.replace(/^-+[\w-]*=/, '')]);
  return tails.some((tail) => pattern?.test(isEscaped ? escape(tail) : tail) !== false) ? 'maybe' : 'no';
}

/** The texts that a word may be; undefined for an unknown one. */
function textsOf({value, shapes}: Word): readonly (string | undefined)[] {
  return value !== undefined
    ? [value]
    : (shapes ?? [undefined]).map((shape) => (shape === undefined || isOpen(shape) ? undefined : shape));
}

/** Whether a text names a program, alone or among other words. */
function mentions(text: string | undefined, name: string): boolean {
  return (
    text === undefined ||
    text.split(/[^\w./@+-]+/).some((part) => part !== '' && isCommand(part.replace(/^-+\w*=?/, ''), name)) ||
    isCommand(text, name)
  );
}

/**
 * Whether the words can stand for the tokens with nothing but options, each perhaps with a value, in between. A word
 * that is unknown can be any token.
 */
function reaches(tokens: readonly string[], words: readonly Word[]): boolean {
  let at = 0;
  for (const [index, {value}] of words.entries()) {
    if (value === undefined || value === tokens[at]) at += 1;
    else if (isPlain(words, index)) return false;
    if (at === tokens.length) return true;
  }
  return false;
}

/** Whether a word is neither an option nor perhaps the value of one. */
export function isPlain(words: readonly Word[], index: number): boolean {
  const before = index === 0 ? '' : (words[index - 1]?.value ?? '-');
  return !words[index]?.value?.startsWith('-') && !before.startsWith('-');
}

/**
 * Whether a command's name runs the program `name`, wherever it lies. Case does not count: there are systems where it
 * does not.
 */
export function isCommand(given: string, name: string): boolean {
  return given === name || baseOf(given) === baseOf(name);
}

/** The name of a program without its place and, for Windows, its ending. */
export function baseOf(name: string): string {
  return win32
    .basename(posix.basename(name))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '');
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
