import {readCompound} from './read-compound.js';
import {readDocuments, readRedirect} from './read-redirect.js';
import {readWord} from './read-word.js';
import {fail, isMeta, nested, peek, skipBlanks, startsWith, type Source} from './source.js';
import type {AndOr, Assignment, CommandNode, Pipeline, Redirect, Script, ShellWord, SimpleNode} from './syntax.js';

const HEAD = /^([A-Za-z_]\w*)(\+?=)/;
const ELEMENT = /^([A-Za-z_]\w*)\[([^]*?)\]\+?=/;
const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

/** Reads commands to the end, or up to and including a closing parenthesis. */
export function readScript(source: Source, isClosed: boolean): Script {
  const outer = source.pending;
  source.pending = [];
  const script = readList(source, isClosed ? [')'] : []);
  if (source.pending.length > 0) fail(source, 'A here-document does not end.');
  source.pending = outer;
  if (isClosed) source.at += 1;
  else if (peek(source) !== '') fail(source, 'It is not closed, or closed twice.');
  return script;
}

/** Reads commands up to one of the words that end a list, which is left where it is. */
export function readList(source: Source, terminators: readonly string[]): Script {
  const script: AndOr[] = [];
  for (;;) {
    skipLines(source);
    if (isTerminated(source, terminators)) return script;
    if (peek(source) === '')
      return terminators.length === 0 ? script : fail(source, `${terminators.join(' or ')} is missing.`);
    script.push(readAndOr(source));
    skipBlanks(source);
    const next = peek(source);
    if (next === '&' || (next === ';' && !/^;[;&]/.test(source.text.slice(source.at, source.at + 2)))) source.at += 1;
    else if (next !== '\n' && next !== '' && !isTerminated(source, terminators))
      fail(source, 'It is not what a shell expects here.');
  }
}

function isTerminated(source: Source, terminators: readonly string[]): boolean {
  return terminators.some(
    (word) => startsWith(source, word) && (/\W/.test(word) && word !== '}' ? true : isMeta(peek(source, word.length))),
  );
}

/** Skips blanks, comments and empty lines, and reads the here-documents that begin there. */
export function skipLines(source: Source): void {
  for (;;) {
    skipBlanks(source);
    if (peek(source) !== '\n') return;
    source.at += 1;
    if (source.pending.length > 0) readDocuments(source);
  }
}

function readAndOr(source: Source): AndOr {
  const first = readPipeline(source);
  const rest: {operator: '&&' | '||'; pipeline: Pipeline}[] = [];
  for (;;) {
    skipBlanks(source);
    const operator = startsWith(source, '&&') ? '&&' : startsWith(source, '||') ? '||' : undefined;
    if (operator === undefined) break;
    source.at += 2;
    skipLines(source);
    rest.push({operator, pipeline: readPipeline(source)});
  }
  return {first, rest, isBackground: peek(source) === '&'};
}

function readPipeline(source: Source): Pipeline {
  while (peek(source) === '!' && /[\s(]/.test(peek(source, 1))) {
    source.at += 1;
    skipBlanks(source);
  }
  const commands: CommandNode[] = [];
  for (;;) {
    commands.push(nested(source, () => readCompound(source) ?? readSimple(source)));
    skipBlanks(source);
    if (peek(source) !== '|' || peek(source, 1) === '|') return commands;
    const isBoth = peek(source, 1) === '&';
    if (isBoth) source.isBashOnly = true;
    source.at += isBoth ? 2 : 1;
    if (startsWith(source, '\\\n')) fail(source, 'A line is joined to the next in the middle of an operator.');
    skipLines(source);
  }
}

interface Parts {
  readonly assignments: Assignment[];
  readonly words: ShellWord[];
  readonly arrays: Assignment[];
  readonly redirects: Redirect[];
}

function readSimple(source: Source): SimpleNode {
  const start = source.at;
  const parts: Parts = {assignments: [], words: [], arrays: [], redirects: []};
  let end = start;
  while (readPart(source, parts)) {
    end = source.at;
    skipBlanks(source);
  }
  const {assignments, words, redirects} = parts;
  if (assignments.length + words.length + redirects.length === 0) fail(source, 'A command is missing.');
  const [name] = words;
  if (name && peek(source) === '(') fail(source, 'It is not what a shell expects here.');
  if (name) source.starts.push(name.start);
  const node: SimpleNode = {kind: 'simple', ...parts, text: source.text.slice(start, end)};
  source.finished.push(node);
  return node;
}

/** Reads one more redirection, assignment or word of a command; false at its end. */
function readPart(source: Source, parts: Parts): boolean {
  const redirect = readRedirect(source);
  if (redirect) return parts.redirects.push(redirect) > 0;
  if (endsWords(source)) return false;
  const isDeclared = DECLARING.has(parts.words[0]?.value ?? '');
  const mayAssign = parts.words.length === 0 || isDeclared;
  const head = mayAssign ? HEAD.exec(source.text.slice(source.at, source.end)) : null;
  if (head && peek(source, head[0].length) === '(')
    (isDeclared ? parts.arrays : parts.assignments).push(readArray(source, head));
  else if (head && !isDeclared) parts.assignments.push(readAssignment(source, head));
  else readWordOrElement(source, parts);
  return true;
}

/** Whether no word begins here; `<(` and `>(` begin one. */
function endsWords(source: Source): boolean {
  return isMeta(peek(source)) && !/^[<>]\(/.test(source.text.slice(source.at, source.at + 2));
}

function readWordOrElement(source: Source, {assignments, words}: Parts): void {
  const word = readWord(source);
  const element = words.length === 0 ? ELEMENT.exec(word.raw) : null;
  if (element) assignments.push(toElement(source, word, element));
  else words.push(word);
}

function readAssignment(source: Source, [head, name = '', operator]: RegExpExecArray): Assignment {
  const start = source.at;
  if (operator === '+=') source.isBashOnly = true;
  source.at += head.length;
  const values = [readWord(source)];
  return {name, subscript: undefined, raw: source.text.slice(start, source.at), values, isArray: false};
}

/**
 * A subscript can hold anything that a word can, so that the word is read as a whole, and its value is not told apart.
 */
function toElement(source: Source, word: ShellWord, [, name = '', subscript]: RegExpExecArray): Assignment {
  source.isBashOnly = true;
  return {
    name,
    subscript,
    raw: word.raw,
    values: [{...word, value: undefined, lead: '', isOpen: true}],
    isArray: false,
  };
}

function readArray(source: Source, [head, name = '']: RegExpExecArray): Assignment {
  const start = source.at;
  const values: ShellWord[] = [];
  source.isBashOnly = true;
  source.at += head.length + 1;
  for (;;) {
    skipLines(source);
    if (peek(source) === ')') break;
    if (endsWords(source)) fail(source, 'An array is not closed.');
    values.push(readWord(source));
  }
  source.at += 1;
  return {name, subscript: undefined, raw: source.text.slice(start, source.at), values, isArray: true};
}
