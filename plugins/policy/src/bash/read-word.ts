import {decodeAnsiC} from './ansi-c.js';
import {readBackticks, readDollar} from './read-expansion.js';
import {addText, addUnknown, fail, isMeta, newDraft, peek, takeRun, type Draft, type Source} from './source.js';
import {ANY, DIGITS, shapeOf} from './shape.js';
import type {ShellWord} from './syntax.js';

/** What else than quotes and expansions a word may hold: in patterns of `[[` and `case` also parentheses. */
export type WordPlace = 'command' | 'pattern' | 'regex';

/** Reads the word that begins here, as bash does. The caller has made sure that one begins. */
export function readWord(source: Source, place: WordPlace = 'command'): ShellWord {
  const start = source.at;
  const draft = newDraft();
  if (place === 'command') while (readUnpatterned(source, draft)) continue;
  else readPattern(source, draft, place);
  const raw = source.text.slice(start, source.at);
  if (source.pending.length > 0 && raw.includes('\n'))
    fail(source, 'A word continues past the line where a here-document begins.');
  return finishWord(draft, {raw, start, home: source.home});
}

function readPattern(source: Source, draft: Draft, place: WordPlace): void {
  let open = 0;
  for (;;) {
    const character = peek(source);
    if (readPatternPart(source, draft, {place, open})) open += character === '(' ? 1 : character === ')' ? -1 : 0;
    else if (!readUnpatterned(source, draft)) break;
  }
  if (open > 0) fail(source, 'A parenthesis of a pattern is not closed.');
}

/** Reads one more piece of a word that is no part of a pattern; false where the word ends. */
function readUnpatterned(source: Source, draft: Draft): boolean {
  const character = peek(source);
  if ((character === '<' || character === '>') && peek(source, 1) === '(') {
    readProcess(source, draft);
    return true;
  }
  return !isMeta(character) && readPiece(source, draft, character);
}

/** Reads quotes, escapes, expansions or one plain character; false where a joined line ends the word. */
function readPiece(source: Source, draft: Draft, character: string): boolean {
  switch (character) {
    case '\\':
      return readEscape(source, draft);
    case "'":
      addText(draft, readSingleQuoted(source), true);
      return true;
    case '"':
      readDoubleQuoted(source, draft);
      return true;
    case '$':
      readUnquotedDollar(source, draft);
      return true;
    case '`':
      readBackticks(source, draft, false);
      return true;
    default:
      readPlain(source, draft);
      return true;
  }
}

function readPlain(source: Source, draft: Draft): void {
  const run = takeRun(source, isPlain);
  if (run !== '') return addText(draft, run, false);
  const character = String.fromCodePoint(source.text.codePointAt(source.at) as number);
  if (/[\s\p{Z}\p{Cf}\p{Cs}\p{Co}]/u.test(character))
    source.doubts.push({
      kind: 'unparsed',
      reason: 'It has a character that looks like a blank, or like nothing, outside quotes.',
      text: source.text,
    });
  addText(draft, character, false);
  source.at += character.length;
}

/** Letters, digits and `-./:_`: most of what words are made of. */
function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 45 && code <= 58) || (code >= 65 && code <= 90) || code === 95;
}

function readEscape(source: Source, draft: Draft): boolean {
  const next = peek(source, 1);
  if (next === '') fail(source, 'It ends with a backslash.');
  if (next === '\n') {
    const after = /^(?:\\\n)+/.exec(source.text.slice(source.at, source.end))?.[0].length ?? 2;
    if (isMeta(peek(source, after))) return false;
    fail(source, 'A line is joined to the next in the middle of a word.');
  }
  addText(draft, next, true);
  source.at += 2;
  return true;
}

function readSingleQuoted(source: Source): string {
  const close = source.text.indexOf("'", source.at + 1);
  if (close < 0 || close >= source.end) fail(source, 'A single quote is not closed.');
  const text = source.text.slice(source.at + 1, close);
  source.at = close + 1;
  return text;
}

/** Reads `"…"` into a word. */
export function readDoubleQuoted(source: Source, draft: Draft): void {
  source.at += 1;
  addText(draft, '', true);
  for (;;) {
    const character = peek(source);
    if (character === '') fail(source, 'A double quote is not closed.');
    if (character === '"') break;
    if (character === '$') readDollar(source, draft, true);
    else if (character === '`') readBackticks(source, draft, true);
    else if (character === '\\') readQuotedEscape(source, draft, '$`"\\');
    else addText(draft, takeRun(source, isQuotedText), true);
  }
  source.at += 1;
}

/** All but the characters that mean something inside double quotes. */
function isQuotedText(code: number): boolean {
  return code !== 34 && code !== 36 && code !== 92 && code !== 96;
}

/** Reads a backslash where only some characters are escaped by it. */
export function readQuotedEscape(source: Source, draft: Draft, escapable: string): void {
  const next = peek(source, 1);
  if (next === '') fail(source, 'A quote is not closed.');
  if (next !== '\n') addText(draft, escapable.includes(next) ? next : `\\${next}`, true);
  source.at += 2;
}

function readUnquotedDollar(source: Source, draft: Draft): void {
  const next = peek(source, 1);
  if (next === "'") {
    source.isBashOnly = true;
    const quoted = /^\$'((?:[^'\\]|\\[^])*)'/.exec(source.text.slice(source.at, source.end));
    if (!quoted) fail(source, 'A quote is not closed.');
    const value = decodeAnsiC(quoted[1] ?? '');
    if (value === undefined) addUnknown(draft, {splits: false, isOpen: true});
    else addText(draft, value, true);
    source.at += quoted[0].length;
  } else if (next === '"') {
    source.isBashOnly = true;
    source.at += 1;
    readDoubleQuoted(source, draft);
    // Translated when it runs.
    addUnknown(draft, {splits: false, isOpen: true});
    [draft.lead, draft.form] = ['', ANY];
  } else readDollar(source, draft, false);
}

function readProcess(source: Source, draft: Draft): void {
  const via = peek(source) === '<' ? '<(…)' : '>(…)';
  source.isBashOnly = true;
  source.at += 2;
  draft.scripts.push({via, script: source.readScript(source, true)});
  // It becomes a path.
  if (draft.shape === '') draft.lead = '/';
  addUnknown(draft, {splits: false, expansion: {kind: 'shapes', shapes: [`/dev/fd/${DIGITS}`], isQuoted: true}});
}

/** In a pattern, what would end an ordinary word. */
function readPatternPart(source: Source, draft: Draft, {place, open}: {place: WordPlace; open: number}): boolean {
  const character = peek(source);
  const opens = character === '(' && (place === 'regex' || open > 0 || /[?*+@!]$/.test(draft.shape));
  const inside = open > 0 && (character === ')' || character === '|');
  const alternative = place === 'regex' && character === '|' && peek(source, 1) !== '|';
  if (!opens && !inside && !alternative) return false;
  if (opens) source.isBashOnly = true;
  addText(draft, character, false);
  draft.value = undefined;
  draft.form += ANY;
  source.at += 1;
  return true;
}

/**
 * What stands between the first of one character and the last of another; undefined when they do not come in this
 * order.
 */
function between(shape: string, first: string, last: string): string | undefined {
  const [start, end] = [shape.indexOf(first), shape.lastIndexOf(last)];
  return start >= 0 && end > start ? shape.slice(start + 1, end) : undefined;
}

function finishWord(
  draft: Draft,
  {raw, start, home}: Pick<ShellWord, 'raw' | 'start'> & Pick<Source, 'home'>,
): ShellWord {
  const {shape, names, scripts, isQuoted, expansions} = draft;
  let {value, lead, splits, isOpen, isNumber, form} = draft;
  const isBraced = /,|\.\./.test(between(shape, '{', '}') ?? '');
  const isGlob = /[*?]/.test(shape) || between(shape, '[', ']') !== undefined;
  if (isBraced || isGlob) {
    value = undefined;
    splits = true;
    isOpen ||= isGlob;
    isNumber = /^\{\d+\.\.\d+(?:\.\.\d+)?\}$/.test(raw);
    lead = lead.slice(0, draft.leadShape.search(/[{*?[]/) + 1).slice(0, -1);
  }
  if (shape.startsWith('~')) {
    ({value, lead, form} = expandTilde({shape, value, form}, home));
  } else if (/^[A-Za-z_]\w*\+?=(?:.*:)?~/s.test(shape)) {
    value = undefined;
    lead = lead.slice(0, lead.indexOf('=') + 1);
    form = lead + ANY;
  }
  return {raw, start, value, lead, splits, isQuoted, isNumber, names, isOpen, scripts, form, expansions};
}

/** A word that begins with a tilde. The home of another user, and one that may be another one, is unknown. */
function expandTilde(
  {shape, value, form}: Pick<Draft, 'shape' | 'value' | 'form'>,
  home: string | undefined,
): Pick<Draft, 'value' | 'lead' | 'form'> {
  if (home === undefined || !/^~(?:$|\/)/.test(shape)) return {value: undefined, lead: '/', form: ANY};
  const expanded = value === undefined ? undefined : home + value.slice(1);
  return {value: expanded, lead: expanded ?? '/', form: shapeOf(home) + form.slice(1)};
}
