import {addVariable, numberOf} from './add-variable.js';
import {readArithmetic} from './read-arithmetic.js';
import {readBackticks, readDollar} from './read-expansion.js';
import {readDoubleQuoted} from './read-word.js';
import {addText, addUnknown, fail, newDraft, peek, takeRun, type Draft, type Source} from './source.js';
import type {Expansion} from './syntax.js';

/** What stands in `${…}`. */
interface Braced {
  readonly mark: string | undefined;
  readonly name: string;
  /** `all`: `[@]`, of which quotes make one word each; `joined`: `[*]`; `element`: one of an array. */
  readonly index: 'none' | 'all' | 'joined' | 'element';
  readonly operator: string;
  /** What stands behind the operator, as written. */
  readonly pattern: string;
  /** The same as a word, together with what stands between brackets. */
  readonly inner: Draft;
}

const HEAD = /^(!|#(?![}:%/#^,-]))?([A-Za-z_]\w*|\d+|[@*#?$!-])/;
const OPERATOR = /^(?::?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@[A-Za-z]?|\*)?/;

/** Reads `${…}` into a word. */
export function readBraced(source: Source, draft: Draft, isQuoted: boolean): void {
  const start = source.at;
  source.at += 2;
  const head = HEAD.exec(source.text.slice(source.at, source.end));
  if (!head) fail(source, 'An expansion is not read.');
  const [all, mark, name = ''] = head;
  source.at += all.length;
  if (mark === undefined && name === 'HOME' && peek(source) === '}') {
    source.at += 1;
    return addVariable(source, draft, {name, isQuoted});
  }
  const inner = newDraft();
  const index = readIndex(source, inner);
  const operator = OPERATOR.exec(source.text.slice(source.at, source.at + 2))?.[0] ?? '';
  source.at += operator.length;
  const from = source.at;
  if (operator === ':') readSlice(source, inner);
  else if (operator !== '') readAlternative(source, inner, isQuoted);
  if (peek(source) !== '}') fail(source, 'An expansion is not read.');
  const braced: Braced = {mark, name, index, operator, pattern: source.text.slice(from, source.at), inner};
  source.at += 1;
  noteExpansion(source, start, braced);
  draft.scripts.push(...inner.scripts);
  addBraced(draft, braced, isQuoted);
}

/** Reads the brackets behind a name. */
function readIndex(source: Source, inner: Draft): Braced['index'] {
  const list = /^\[([@*])\]/.exec(source.text.slice(source.at, source.at + 3));
  if (list) {
    source.at += 3;
    return list[1] === '*' ? 'joined' : 'all';
  }
  if (peek(source) !== '[') return 'none';
  readSubscript(source, inner);
  return 'element';
}

function addBraced(draft: Draft, braced: Braced, isQuoted: boolean): void {
  const {name, index, inner} = braced;
  if (isNumber(braced)) return addUnknown(draft, {splits: false, isNumber: true, expansion: numberOf(isQuoted)});
  const expansion = expansionOf(braced, isQuoted);
  addUnknown(draft, {
    ...(expansion ? {expansion} : {}),
    splits: !isQuoted || index === 'all' || index === 'joined' || name === '@',
    isOpen: inner.isOpen || /^[\d@*_]$/.test(name),
    names: [name, ...inner.names],
  });
}

/** `${#x}`, `${?}`. */
function isNumber({mark, operator, name}: Braced): boolean {
  return mark === '#' || (mark === undefined && operator === '' && '#?$!'.includes(name));
}

/** What `${…}` becomes; undefined when that is left to running. */
function expansionOf({mark, name, operator, index, pattern, inner}: Braced, isQuoted: boolean): Expansion | undefined {
  if (index === 'joined' || mark !== undefined || !/^[A-Za-z_]/.test(name)) return undefined;
  const isList = index !== 'none';
  if (operator === '') return {kind: 'variable', name, isList, isQuoted};
  if (isList) return undefined;
  const {form, expansions} = inner;
  if (/^:?[-+=?]$/.test(operator))
    return {kind: 'alternative', name, operator: operator.slice(-1), word: {form, expansions}, isQuoted};
  return /^(?:##?|%%?)$/.test(operator) ? {kind: 'cut', name, operator, pattern, isQuoted} : undefined;
}

/** Says what an expansion can run, or that it sets a variable. */
function noteExpansion(source: Source, start: number, {mark, name, operator, index}: Braced): void {
  const text = source.text.slice(start, source.at);
  const isList = index === 'all' || index === 'joined';
  if (operator === '@P')
    source.doubts.push({
      kind: 'dynamic',
      reason: 'It runs the substitutions that the value of a variable holds.',
      text,
    });
  const isNaming = isList || operator === '*' || operator === '@';
  if (mark === '!' && !isNaming)
    source.doubts.push({kind: 'dynamic', reason: 'Which variable it means is decided while it runs.', text});
  if (operator.endsWith('=')) source.doubts.push({kind: 'dynamic', reason: `It may set ${name}.`, text});
  if (!/^(?::?[-=?+]|##?|%%?)?$/.test(operator) || mark === '!' || isList) source.isBashOnly = true;
}

/** Reads `[…]` after a name. */
function readSubscript(source: Source, inner: Draft): void {
  source.isBashOnly = true;
  source.at += 1;
  if (peek(source) === '"') {
    readDoubleQuoted(source, inner);
    if (inner.value === undefined)
      source.arithmetic.push({text: inner.lead, names: inner.names, isOpen: inner.isOpen, scripts: inner.scripts});
    else if (/[`$]/.test(inner.value)) fail(source, 'What is between the brackets would be run.');
    if (peek(source) !== ']') fail(source, 'An expansion is not read.');
    source.at += 1;
  } else readArithmetic(source, inner.scripts, ']');
}

function readSlice(source: Source, inner: Draft): void {
  source.isBashOnly = true;
  readArithmetic(source, inner.scripts, '}');
  source.at -= 1;
}

/** Reads up to the brace that closes an expansion. */
function readAlternative(source: Source, inner: Draft, isQuoted: boolean): void {
  while (peek(source) !== '}') readPiece(source, inner, isQuoted);
}

function readPiece(source: Source, inner: Draft, isQuoted: boolean): void {
  const [character, next] = [peek(source), peek(source, 1)];
  if (character === '$' && !/['"]/.test(next)) readDollar(source, inner, true);
  else if (character === '`') readBackticks(source, inner, true);
  else if (character === '"') readDoubleQuoted(source, inner);
  else if (character === '\\' && !['', '\n'].includes(next)) {
    addText(inner, next, true);
    source.at += 2;
  } else if (character === "'" && !isQuoted) readQuotedPart(source, inner);
  else if (isUnread(character, next)) fail(source, 'An expansion is not read.');
  else {
    addText(inner, character, true);
    source.at += 1;
  }
}

function isUnread(character: string, next: string): boolean {
  return character === '' || `\\$'`.includes(character) || (/[<>]/.test(character) && next === '(');
}

function readQuotedPart(source: Source, inner: Draft): void {
  source.at += 1;
  addText(
    inner,
    takeRun(source, (code) => code !== 39),
    true,
  );
  if (peek(source) === '') fail(source, 'A single quote is not closed.');
  source.at += 1;
}
