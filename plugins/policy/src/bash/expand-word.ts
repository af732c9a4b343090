import {expandBraces, writeBraces} from './braces.js';
import {outputOf} from './printed.js';
import {
  ANY,
  baseOfShape,
  folderOfShape,
  GIVEN,
  glue,
  isOpen,
  loosenGlobs,
  openGlobs,
  shapeOf,
  STAR,
  unique,
} from './shape.js';
import {CLOSE_CLASS, FIRST_MARK, OPEN_CLASS} from './source.js';
import type {Expansion, Formed} from './syntax.js';
import {OF_BASH} from './variable-values.js';
import type {Position, Walk} from './walk.js';

/** What one word of a line becomes. */
export interface Argument {
  /** Each of the texts that it, or one of the words that it makes, may be. */
  readonly shapes: readonly string[];
  /** Whether it may become several words, or none. */
  readonly isMany: boolean;
  /** Names found on disk are split at blanks, and looked up as globs again. */
  readonly isSplit: boolean;
}

const SPECIAL = /[\uE000-\uF8FF]/;
const MARK = /[\uE100-\uE4FF]/;
const BLANKS = /[ \t\n]+/;

/** What a word becomes where it stands. */
export function expandWord(walk: Walk, word: Formed, position: Position): Argument {
  if (!SPECIAL.test(word.form)) return {shapes: [word.form], isMany: false, isSplit: false};
  const forms = expandBraces(word.form);
  if (!forms) return {shapes: [ANY], isMany: true, isSplit: false};
  const parts = forms.map((form) => expandForm(walk, {form, expansions: word.expansions}, position));
  const shapes = parts.flatMap((part) => part.shapes).map((shape) => loosenGlobs(shape, walk.globs));
  return {
    shapes: unique(shapes),
    isMany: forms.length > 1 || parts.some((part) => part.isMany) || shapes.some((shape) => shape.includes(STAR)),
    isSplit: parts.some((part) => part.isSplit),
  };
}

/** The text of a word where it is neither split nor looked up as a glob: behind `=`, in a here-document. */
export function expandText(walk: Walk, {form, expansions}: Formed, position: Position): readonly string[] {
  const plain = writeBraces(form)
    .replaceAll('\uE001', '*')
    .replaceAll('\uE002', '?')
    .replaceAll(OPEN_CLASS, '[')
    .replaceAll(CLOSE_CLASS, ']');
  return expandForm(walk, {form: plain, expansions: expansions.map((one) => ({...one, isQuoted: true}))}, position)
    .shapes;
}

function expandForm(walk: Walk, {form, expansions}: Formed, position: Position): Argument {
  let [open, isMany, isSplit]: [readonly string[], boolean, boolean] = [[''], false, false];
  const done: string[] = [];
  let isFound = false;
  for (const piece of splitForm(form)) {
    const expansion = MARK.test(piece) ? expansions[piece.charCodeAt(0) - FIRST_MARK] : undefined;
    if (!expansion) {
      const text = toGlob(writeBraces(piece));
      open = open.map((shape) => (isFound ? glue(shape, text) : shape + text));
      continue;
    }
    const values = valuesOf(walk, expansion, position);
    isFound = true;
    if (expansion.isQuoted) {
      isMany ||= expansion.kind === 'variable' && expansion.isList;
      open = join(open, values);
      continue;
    }
    const split = splitFields(walk, values, open);
    done.push(...split.done);
    open = unique(split.open);
    isMany ||= split.isMany || values.includes('') || values.some((value) => value.includes(ANY));
    isSplit ||= values.some(isOpen);
  }
  return {shapes: unique([...done, ...open]), isMany, isSplit};
}

/** The pieces of a form: its expansions, one each, and what is between. */
function splitForm(form: string): readonly string[] {
  return form.split(/([\uE100-\uE4FF])/).filter(Boolean);
}

/** Brackets that are a glob, and those that are not. */
function toGlob(text: string): string {
  const globbed = text.replaceAll(/\uE013[^/]*\uE014/g, STAR);
  return globbed.replaceAll(OPEN_CLASS, '[').replaceAll(CLOSE_CLASS, ']');
}

function join(heads: readonly string[], tails: readonly string[]): readonly string[] {
  return unique(heads.flatMap((head) => tails.map((tail) => glue(head, tail))));
}

/** What values become that are not quoted: blanks end words, and globs are looked up. */
function splitFields(
  walk: Walk,
  values: readonly string[],
  heads: readonly string[],
): {done: readonly string[]; open: readonly string[]; isMany: boolean} {
  const done: string[] = [];
  const open: string[] = [];
  let isMany = false;
  for (const value of values) {
    if (walk.hasOddSplits) {
      open.push(ANY);
      continue;
    }
    const fields = openGlobs(value).split(BLANKS);
    const [first = '', ...rest] = fields;
    const last = rest.pop();
    open.push(...(last === undefined ? heads.map((head) => glue(head, first)) : [last]));
    if (last === undefined) continue;
    isMany = true;
    done.push(...heads.map((head) => glue(head, first)), ...rest);
  }
  return {done: done.filter(Boolean), open, isMany};
}

/** The texts that an expansion may become, before they are split. */
function valuesOf(walk: Walk, expansion: Expansion, position: Position): readonly string[] {
  switch (expansion.kind) {
    case 'shapes':
      return expansion.shapes;
    case 'script':
      return joinLines(outputOf(walk, expansion.script, position), expansion.isQuoted);
    case 'variable':
      return valueOf(walk, expansion, position);
    case 'alternative': {
      const word = expandText(walk, expansion.word, position);
      if (expansion.operator === '+') return unique([...word, '']);
      return expansion.operator === '?'
        ? valueOf(walk, expansion, position)
        : unique([...valueOf(walk, expansion, position), ...word]);
    }
    default:
      return unique(
        valueOf(walk, expansion, position)
          .flatMap((value) => cutValue(value, expansion))
          .map((value) => value.replaceAll(/[\uE001\uE002]/g, GIVEN)),
      );
  }
}

/** Lines in quotes are one text; only that of one line is known. */
function joinLines(
  lines: {readonly shapes: readonly string[]; readonly isOne: boolean},
  isQuoted: boolean,
): readonly string[] {
  if (isQuoted) return lines.isOne ? lines.shapes : [ANY];
  return lines.shapes;
}

function valueOf(
  walk: Walk,
  {name, isQuoted}: {readonly name: string; readonly isQuoted: boolean},
  {directories}: Position,
): readonly string[] {
  if (name === 'PWD' && !walk.everSet.has('PWD')) return directories;
  const known = walk.variables.get(name);
  if (known) return known;
  const given =
    walk.isOpaque || walk.everSet.has(name) || OF_BASH.test(name) ? undefined : walk.place.variables?.[name];
  if (given !== undefined) return [shapeOf(given)];
  // What the line does not set is the person's own: one word, of which nothing is known.
  return isQuoted || !walk.everSet.has(name) ? [ANY] : [ANY, ` ${ANY} `];
}

/** `${x%.*}`, `${x##*\/}` and their like, of those whose result is known. */
function cutValue(
  value: string,
  {operator, pattern}: {readonly operator: string; readonly pattern: string},
): readonly string[] {
  if (operator === '##' && pattern === '*/') return [baseOfShape(value)];
  if (operator === '%' && pattern === '/*')
    return value.includes('/') && !/[\uE000\uE004]/.test(value) ? [folderOfShape(value)] : [ANY];
  if (!/^[\w./-]+$/.test(pattern)) return [ANY];
  return [operator.startsWith('%') ? cutEnd(value, pattern) : cutStart(value, pattern)];
}

function cutEnd(value: string, end: string): string {
  if (value.endsWith(end)) return value.slice(0, -end.length);
  return isOpen(value.slice(-end.length)) ? ANY : value;
}

function cutStart(value: string, start: string): string {
  if (value.startsWith(start)) return value.slice(start.length);
  return isOpen(value.slice(0, start.length)) ? ANY : value;
}
