import {readArithmetic} from './read-arithmetic.js';
import {readRedirect} from './read-redirect.js';
import {readList, skipLines} from './read-script.js';
import {readWord} from './read-word.js';
import {ANY} from './shape.js';
import {fail, isMeta, nested, peek, skipBlanks, startsWith, type Source} from './source.js';
import {readTest} from './read-test.js';
import type {CompoundBody, CompoundNode, NestedScript, Redirect, Script, ShellWord} from './syntax.js';

type Reader = (source: Source) => CompoundBody;

/** Words that are no names of commands where one is expected. */
export const RESERVED: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'for',
  'select',
  'while',
  'until',
  'do',
  'done',
  'case',
  'esac',
  'function',
  'coproc',
  '{',
  '}',
  '!',
  '[[',
]);

const READERS = new Map<string, Reader>([
  ['{', (source) => ({kind: 'group', words: [], bodies: [readBody(source, ['}'])]})],
  ['if', readIf],
  ['while', readWhile],
  ['until', readWhile],
  ['for', readFor],
  ['select', (source) => readFor(Object.assign(source, {isBashOnly: true}))],
  ['case', readCase],
  ['function', (source) => readFunction(source, readName(source))],
  ['[[', readTest],
]);

/** Reads a compound command with its redirections, or returns undefined where a simple one begins. */
export function readCompound(source: Source): CompoundNode | undefined {
  const start = source.at;
  const body = readOpened(source);
  if (!body) return undefined;
  const redirects: Redirect[] = [];
  for (;;) {
    const end = source.at;
    skipBlanks(source);
    const redirect = readRedirect(source);
    if (!redirect) return {...body, redirects, text: source.text.slice(start, end)};
    redirects.push(redirect);
  }
}

function readOpened(source: Source): CompoundBody | undefined {
  if (startsWith(source, '((')) return readComputation(source);
  if (peek(source) === '(') {
    source.at += 1;
    return {kind: 'subshell', words: [], bodies: [readBody(source, [')'])]};
  }
  const name = /^[^\s;&|<>()'"\\$`]+/.exec(source.text.slice(source.at, Math.min(source.end, source.at + 80)))?.[0];
  if (name === undefined) return undefined;
  const ends = isMeta(peek(source, name.length));
  if (ends && RESERVED.has(name)) {
    const read = READERS.get(name);
    if (!read) fail(source, `\`${name}\` stands where a command is expected.`);
    if (name === '[[') source.starts.push(source.at);
    source.at += name.length;
    return read(source);
  }
  if (name === 'time') return refuseTimed(source);
  // `x=()` is an empty array.
  const definition = name.includes('=')
    ? null
    : /^[ \t]*\([ \t]*\)/.exec(source.text.slice(source.at + name.length, Math.min(source.end, source.at + 120)));
  if (!definition) return undefined;
  source.at += name.length;
  return readFunction(source, name);
}

/** `time` before one command is like any other name; before more it is part of the grammar, and not read. */
function refuseTimed(source: Source): undefined {
  const [, next] = /^time(?:[ \t]+-p)?[ \t]+(\S+)/.exec(source.text.slice(source.at, source.end)) ?? [];
  if (next !== undefined && (RESERVED.has(next) || next.startsWith('(')))
    fail(source, '`time` before more than one command is not read.');
  return undefined;
}

function readBody(source: Source, terminators: readonly string[]): Script {
  const script = nested(source, () => readList(source, terminators));
  if (script.length === 0) fail(source, 'A command is missing.');
  const end = terminators.find((word) => startsWith(source, word));
  if (terminators.length === 1) source.at += end?.length ?? 0;
  return script;
}

function expectWord(source: Source, word: string): void {
  if (!startsWith(source, word) || !isMeta(peek(source, word.length))) fail(source, `\`${word}\` is missing.`);
  source.at += word.length;
}

function readIf(source: Source): CompoundBody {
  const bodies = [readBody(source, ['then'])];
  for (;;) {
    bodies.push(readBody(source, ['elif', 'else', 'fi']));
    if (startsWith(source, 'elif')) {
      source.at += 4;
      bodies.push(readBody(source, ['then']));
      continue;
    }
    const hasElse = startsWith(source, 'else');
    source.at += hasElse ? 4 : 2;
    if (hasElse) bodies.push(readBody(source, ['fi']));
    return {kind: 'branches', words: [], bodies};
  }
}

function readWhile(source: Source): CompoundBody {
  const condition = readBody(source, ['do']);
  return {kind: 'loop', words: [], bodies: [condition, readBody(source, ['done'])]};
}

function readName(source: Source): string {
  skipBlanks(source);
  const {value, isQuoted} = readWord(source);
  if (value === undefined || value === '' || isQuoted) fail(source, 'A name is missing.');
  return value;
}

function readFor(source: Source): CompoundBody {
  skipBlanks(source);
  if (startsWith(source, '((')) return readCountingFor(source);
  const name = readName(source);
  if (!/^[A-Za-z_]\w*$/.test(name)) fail(source, 'A name is missing.');
  const words: ShellWord[] = [];
  skipLines(source);
  const hasWords = startsWith(source, 'in') && isMeta(peek(source, 2));
  if (hasWords) {
    source.at += 2;
    for (skipBlanks(source); !isMeta(peek(source)); skipBlanks(source)) words.push(readWord(source));
  }
  if (peek(source) === ';') source.at += 1;
  else if (hasWords && peek(source) !== '\n') fail(source, '`do` is missing.');
  skipLines(source);
  expectWord(source, 'do');
  const all = hasWords ? words : [{...noWord(source), isOpen: true}];
  return {kind: 'loop', name, words: all, bodies: [readBody(source, ['done'])]};
}

/** Stands for the arguments that a loop without words goes through. */
function noWord({at}: Source): ShellWord {
  return {
    raw: '"$@"',
    start: at,
    value: undefined,
    lead: '',
    splits: true,
    isQuoted: true,
    isNumber: false,
    names: [],
    isOpen: true,
    scripts: [],
    form: ANY,
    expansions: [],
  };
}

function carry(source: Source, scripts: readonly NestedScript[]): readonly ShellWord[] {
  return scripts.length > 0 ? [{...noWord(source), scripts}] : [];
}

function readCountingFor(source: Source): CompoundBody {
  source.isBashOnly = true;
  source.at += 2;
  const scripts: NestedScript[] = [];
  for (const close of [';', ';', '))']) readArithmetic(source, scripts, close);
  skipBlanks(source);
  if (peek(source) === ';') source.at += 1;
  skipLines(source);
  expectWord(source, 'do');
  return {kind: 'loop', words: carry(source, scripts), bodies: [readBody(source, ['done'])]};
}

function readComputation(source: Source): CompoundBody {
  const scripts: NestedScript[] = [];
  source.isBashOnly = true;
  source.at += 2;
  readArithmetic(source, scripts, '))');
  return {kind: 'test', words: carry(source, scripts), bodies: []};
}

function readCase(source: Source): CompoundBody {
  skipBlanks(source);
  if (isMeta(peek(source))) fail(source, 'What `case` compares is missing.');
  const words = [readWord(source)];
  const bodies: Script[] = [];
  skipLines(source);
  expectWord(source, 'in');
  for (skipLines(source); !(startsWith(source, 'esac') && isMeta(peek(source, 4))); skipLines(source)) {
    if (peek(source) === '(') source.at += 1;
    readPatterns(source, words);
    bodies.push(nested(source, () => readList(source, [';;', ';&', 'esac'])));
    const end = /^(?:;;&|;;|;&)/.exec(source.text.slice(source.at, source.at + 3))?.[0] ?? '';
    if (end.endsWith('&')) source.isBashOnly = true;
    source.at += end.length;
  }
  source.at += 4;
  return {kind: 'branches', words, bodies};
}

function readPatterns(source: Source, words: ShellWord[]): void {
  for (;;) {
    skipBlanks(source);
    if (isMeta(peek(source))) fail(source, 'A pattern of `case` is missing.');
    words.push(readWord(source, 'pattern'));
    skipBlanks(source);
    const next = peek(source);
    source.at += 1;
    if (next === ')') return;
    if (next !== '|') fail(source, 'A pattern of `case` is not closed.');
  }
}

function readFunction(source: Source, name: string): CompoundBody {
  const braces = /^[ \t]*\([ \t]*\)/.exec(source.text.slice(source.at, source.end))?.[0];
  if (braces === undefined) source.isBashOnly = true;
  source.at += braces?.length ?? 0;
  source.functions.add(name);
  skipLines(source);
  const body = nested(source, () => readCompound(source));
  if (!body) fail(source, 'The body of a function is missing.');
  return {kind: 'function', name, words: [], bodies: [[{first: [body], rest: [], isBackground: false}]]};
}
