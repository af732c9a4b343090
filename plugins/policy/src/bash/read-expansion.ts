import {
  addText,
  addUnknown,
  fail,
  nested,
  newDraft,
  peek,
  startsWith,
  takeRun,
  type Draft,
  type Source,
} from './source.js';
import {readDoubleQuoted} from './read-word.js';
import {DIGITS} from './shape.js';
import type {Expansion, NestedScript} from './syntax.js';

const NAME = /^[A-Za-z_]\w*/;
/** A home that stays one word whether quoted or not. */
const PLAIN_PATH = /^[\w/.@%+:,-]+$/;

/** Reads what begins with `$`, quotes that begin with it excepted. */
export function readDollar(source: Source, draft: Draft, isQuoted: boolean): void {
  const next = peek(source, 1);
  const name = NAME.exec(source.text.slice(source.at + 1, Math.min(source.end, source.at + 200)))?.[0];
  if (name !== undefined) {
    source.at += 1 + name.length;
    addVariable(source, draft, {name, isQuoted});
  } else if (next === '(')
    nested(source, () =>
      peek(source, 2) === '(' ? readComputed(source, draft, isQuoted) : readSubstitution(source, draft, isQuoted),
    );
  else if (next === '{') nested(source, () => readBraced(source, draft, isQuoted));
  else if (next === '[') fail(source, '`$[` is not read.');
  else if (next === '\\' && peek(source, 2) === '\n')
    fail(source, 'A line is joined to the next in the middle of an expansion.');
  else if (/[\d@*#?$!-]/.test(next)) {
    source.at += 2;
    const isNumber = '#?$!'.includes(next);
    const expansion = isNumber ? numberOf(isQuoted) : undefined;
    addUnknown(draft, {
      splits: !isNumber && (!isQuoted || next === '@'),
      isNumber,
      isOpen: !isNumber && next !== '-',
      ...(expansion ? {expansion} : {}),
    });
  } else {
    addText(draft, '$', true);
    source.at += 1;
  }
}

function addVariable({home}: Source, draft: Draft, {name, isQuoted}: {name: string; isQuoted: boolean}): void {
  if (name === 'HOME' && (isQuoted || PLAIN_PATH.test(home))) addText(draft, home, true);
  else
    addUnknown(draft, {
      splits: !isQuoted,
      isOpen: name === '_',
      names: [name],
      expansion: {kind: 'variable', name, isList: false, isQuoted},
    });
}

function numberOf(isQuoted: boolean): Expansion {
  return {kind: 'shapes', shapes: [DIGITS, `-${DIGITS}`], isQuoted};
}

function readSubstitution(source: Source, draft: Draft, isQuoted: boolean): void {
  source.at += 2;
  if (source.pending.length > 0) fail(source, 'A substitution follows the beginning of a here-document.');
  const script = source.readScript(source, true);
  draft.scripts.push({via: '$(…)', script});
  addUnknown(draft, {splits: !isQuoted, isNumber: true, expansion: {kind: 'script', script, isQuoted}});
}

/** Reads a substitution in backticks. One with a backslash in it is read twice by bash, so it is not read here. */
export function readBackticks(source: Source, draft: Draft, isQuoted: boolean): void {
  const close = source.text.indexOf('`', source.at + 1);
  if (close < 0 || close >= source.end) fail(source, 'A backtick is not closed.');
  if (source.text.slice(source.at, close).includes('\\')) fail(source, 'A backslash between backticks is not read.');
  if (source.pending.length > 0) fail(source, 'A substitution follows the beginning of a here-document.');
  const {end} = source;
  source.at += 1;
  source.end = close;
  const script = nested(source, () => source.readScript(source, false));
  draft.scripts.push({via: '`…`', script});
  source.end = end;
  source.at = close + 1;
  addUnknown(draft, {splits: !isQuoted, isNumber: true, expansion: {kind: 'script', script, isQuoted}});
}

function readComputed(source: Source, draft: Draft, isQuoted: boolean): void {
  source.at += 3;
  readArithmetic(source, draft.scripts, '))');
  addUnknown(draft, {splits: !isQuoted, isNumber: true, expansion: numberOf(isQuoted)});
}

/** Reads an arithmetic expression and what closes it, outside all parentheses. */
export function readArithmetic(source: Source, scripts: NestedScript[], close: string): void {
  const start = source.at;
  const parts = newDraft();
  let open = 0;
  while (open > 0 || !startsWith(source, close)) {
    const character = peek(source);
    if (character === '$') readDollar(source, parts, true);
    else if (character === '`') readBackticks(source, parts, true);
    else if (character === '' || (character === ')' && open === 0) || !/[\w\s+*/%<>=!&|^~?:,()#[\]-]/.test(character))
      fail(source, 'An arithmetic expression is not read.');
    else {
      if (character === '(' || character === '[') open += 1;
      if (character === ')' || character === ']') open -= 1;
      source.at += 1;
    }
  }
  const text = source.text.slice(start, source.at);
  source.at += close.length;
  scripts.push(...parts.scripts);
  const names = text.match(/[A-Za-z_]\w*/g) ?? [];
  // What stands next to an expansion makes a name with it.
  const isOpen = parts.isOpen || /[A-Za-z_]\w*[$`]|\$\w+[$`]|[}`)]\w|\}[$`]/.test(text);
  if (names.length > 0 || parts.scripts.length > 0 || isOpen)
    source.arithmetic.push({text, names, isOpen, scripts: parts.scripts});
}

function readBraced(source: Source, draft: Draft, isQuoted: boolean): void {
  const start = source.at;
  source.at += 2;
  const head = /^(!|#(?![}:%/#^,-]))?([A-Za-z_]\w*|\d+|[@*#?$!-])/.exec(source.text.slice(source.at, source.end));
  if (!head) fail(source, 'An expansion is not read.');
  const [all, mark, name = ''] = head;
  source.at += all.length;
  if (mark === undefined && name === 'HOME' && peek(source) === '}') {
    source.at += 1;
    return addVariable(source, draft, {name, isQuoted});
  }
  const inner = newDraft();
  const isList = /^\[[@*]\]/.test(source.text.slice(source.at, source.at + 3));
  if (isList) source.at += 3;
  else if (peek(source) === '[') readSubscript(source, inner);
  const isJoined = isList && peek(source, -2) === '*';
  const isElement = !isList && peek(source, -1) === ']';
  const operator =
    /^(?::?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@[A-Za-z]?|\*)?/.exec(
      source.text.slice(source.at, source.at + 2),
    )?.[0] ?? '';
  source.at += operator.length;
  const from = source.at;
  if (operator === ':') readSlice(source, inner);
  else if (operator !== '') readAlternative(source, inner, isQuoted);
  if (peek(source) !== '}') fail(source, 'An expansion is not read.');
  source.at += 1;
  const isNumber = mark === '#' || (mark === undefined && operator === '' && '#?$!'.includes(name));
  noteExpansion(source, {start, mark, name, operator, isList});
  draft.scripts.push(...inner.scripts);
  const pattern = source.text.slice(from, source.at - 1);
  const expansion = isNumber
    ? numberOf(isQuoted)
    : isJoined
      ? undefined
      : expansionOf({mark, name, operator, isList: isList || isElement, isQuoted, inner, pattern});
  addUnknown(draft, {
    ...(expansion ? {expansion} : {}),
    splits: !isNumber && (!isQuoted || isList || name === '@'),
    isNumber,
    isOpen: !isNumber && (inner.isOpen || /^[\d@*_]$/.test(name)),
    names: isNumber ? [] : [name, ...inner.names],
  });
}

interface Braced {
  readonly mark: string | undefined;
  readonly name: string;
  readonly operator: string;
  readonly isList: boolean;
  readonly isQuoted: boolean;
  readonly inner: Draft;
  readonly pattern: string;
}

/** What `${…}` becomes; undefined when that is left to running. */
function expansionOf({mark, name, operator, isList, isQuoted, inner, pattern}: Braced): Expansion | undefined {
  if (mark !== undefined || !/^[A-Za-z_]/.test(name)) return undefined;
  if (operator === '') return {kind: 'variable', name, isList, isQuoted};
  if (isList) return undefined;
  const {form, expansions} = inner;
  if (/^:?[-+=?]$/.test(operator))
    return {kind: 'alternative', name, operator: operator.slice(-1), word: {form, expansions}, isQuoted};
  return /^(?:##?|%%?)$/.test(operator) ? {kind: 'cut', name, operator, pattern, isQuoted} : undefined;
}

/** Says what an expansion can run, or that it sets a variable. */
function noteExpansion(
  source: Source,
  {
    start,
    mark,
    name,
    operator,
    isList,
  }: {start: number; mark: string | undefined; name: string; operator: string; isList: boolean},
): void {
  const text = source.text.slice(start, source.at);
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
  for (;;) {
    const character = peek(source);
    if (character === '}') return;
    if (character === '$' && !/['"]/.test(peek(source, 1))) readDollar(source, inner, true);
    else if (character === '`') readBackticks(source, inner, true);
    else if (character === '"') readDoubleQuoted(source, inner);
    else if (character === '\\' && !['', '\n'].includes(peek(source, 1))) {
      addText(inner, peek(source, 1), true);
      source.at += 2;
    } else if (character === "'" && !isQuoted) readQuotedPart(source, inner);
    else if (character === '' || `\\$'`.includes(character) || (/[<>]/.test(character) && peek(source, 1) === '('))
      fail(source, 'An expansion is not read.');
    else {
      addText(inner, character, true);
      source.at += 1;
    }
  }
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
