/**
 * Unquoted characters that only braces give a meaning. In the form of a word they stand for themselves until braces are
 * expanded.
 */
export const OPEN = '\uE010';
export const COMMA = '\uE011';
export const CLOSE = '\uE012';

const MOST = 64;
const LONGEST_RANGE = 64;

/** The words that braces make of one; undefined when they are too many to be listed. */
export function expandBraces(form: string): readonly string[] | undefined {
  const open = form.indexOf(OPEN);
  if (open < 0) return [form];
  const group = findGroup(form, open);
  const [before, rest] = [form.slice(0, open), form.slice(open + 1)];
  if (!group) return expandBraces(rest)?.map((tail) => before + OPEN + tail);
  const items = group.commas.length > 0 ? splitAt(form, group) : rangeOf(form.slice(open + 1, group.end));
  if (items === 'many') return undefined;
  const tails = expandBraces(form.slice(group.end + 1));
  if (!tails) return undefined;
  if (items === undefined) {
    // Not a list: the braces are characters, but what they hold may have lists.
    return expandBraces(form.slice(open + 1, group.end))
      ?.flatMap((inner) => tails.map((tail) => before + OPEN + inner + CLOSE + tail))
      .slice(0, MOST + 1);
  }
  const heads = items.map(expandBraces);
  if (heads.includes(undefined)) return undefined;
  const all = heads.flatMap((some) => some ?? []);
  if (all.length * tails.length > MOST) return undefined;
  return all.flatMap((head) => tails.map((tail) => before + head + tail));
}

/** The characters that braces are written with, for a word that has been expanded. */
export function writeBraces(form: string): string {
  return form.replaceAll(OPEN, '{').replaceAll(COMMA, ',').replaceAll(CLOSE, '}');
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly commas: readonly number[];
}

function findGroup(form: string, start: number): Group | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < form.length; at += 1) {
    if (form[at] === OPEN) depth += 1;
    else if (form[at] === COMMA && depth === 1) commas.push(at);
    else if (form[at] === CLOSE) depth -= 1;
    if (depth === 0) return {start, end: at, commas};
  }
  return undefined;
}

function splitAt(form: string, {start, end, commas}: Group): readonly string[] {
  const cuts = [start, ...commas, end];
  return cuts.slice(1).map((cut, index) => form.slice((cuts[index] ?? 0) + 1, cut));
}

const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

/** `1..5`, `a..e`, `1..9..2`; undefined for what is no range. */
function rangeOf(text: string): readonly string[] | 'many' | undefined {
  const [, from, to, step = '1'] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) return text.includes('..') ? 'many' : undefined;
  const by = Math.max(1, Math.abs(Number(step)));
  if ([from, to].every(isPlainNumber)) return listRange([Number(from), Number(to)], by, String);
  if ([from, to].every((end) => /^[A-Za-z]$/.test(end)))
    return listRange([from.charCodeAt(0), to.charCodeAt(0)], by, (code) => String.fromCharCode(code));
  // Padded numbers, and ranges that mix both kinds, are left to running.
  return 'many';
}

function isPlainNumber(text: string): boolean {
  return /\d/.test(text) && !/^-?0\d/.test(text);
}

function listRange(
  [from, to]: readonly [number, number],
  by: number,
  show: (at: number) => string,
): readonly string[] | 'many' {
  const distance = Math.abs(to - from);
  if (distance / by > LONGEST_RANGE) return 'many';
  const found: string[] = [];
  for (let gone = 0; gone <= distance; gone += by) found.push(show(from <= to ? from + gone : from - gone));
  return found;
}
