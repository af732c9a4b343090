import {addVariable, numberOf} from './add-variable.js';
import {readArithmetic} from './read-arithmetic.js';
import {readBraced} from './read-braced.js';
import {addText, addUnknown, fail, nested, peek, type Draft, type Source} from './source.js';

const NAME = /^[A-Za-z_]\w*/;

/** Reads what begins with `$`, quotes that begin with it excepted. */
export function readDollar(source: Source, draft: Draft, isQuoted: boolean): void {
  const next = peek(source, 1);
  const name = NAME.exec(source.text.slice(source.at + 1, Math.min(source.end, source.at + 200)))?.[0];
  if (name !== undefined) {
    source.at += 1 + name.length;
    addVariable(source, draft, {name, isQuoted});
  } else if (next === '(') nested(source, () => readParenthesis(source, draft, isQuoted));
  else if (next === '{') nested(source, () => readBraced(source, draft, isQuoted));
  else if (next === '[') fail(source, '`$[` is not read.');
  else if (next === '\\' && peek(source, 2) === '\n')
    fail(source, 'A line is joined to the next in the middle of an expansion.');
  else if (/[\d@*#?$!-]/.test(next)) readSpecial(source, draft, isQuoted);
  else {
    addText(draft, '$', true);
    source.at += 1;
  }
}

/** Reads `$1`, `$@`, `$?` and their like. */
function readSpecial(source: Source, draft: Draft, isQuoted: boolean): void {
  const name = peek(source, 1);
  source.at += 2;
  if ('#?$!'.includes(name)) addUnknown(draft, {splits: false, isNumber: true, expansion: numberOf(isQuoted)});
  else addUnknown(draft, {splits: !isQuoted || name === '@', isOpen: name !== '-'});
}

function readParenthesis(source: Source, draft: Draft, isQuoted: boolean): void {
  if (peek(source, 2) === '(') readComputed(source, draft, isQuoted);
  else readSubstitution(source, draft, isQuoted);
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
