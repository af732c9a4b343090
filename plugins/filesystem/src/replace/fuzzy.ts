import {blockOf, editLines, lineStarts, type Edit, type Search} from './edit.js';

const SHORTEST = 10;
const MOST_WORK = 4e8;
const ACCEPTED = 0.1;
const WHITE_SPACE_WEIGHT = 0.1;

interface Candidate {
  readonly first: number;
  readonly score: number;
}

/**
 * Finds whole lines that differ from the searched ones by at most a tenth, white space counting a tenth of other
 * differences.
 */
export function fuzzy(search: Search): readonly Edit[] {
  const {text, old} = search;
  const wanted = blockOf(old).lines;
  const lines = text.split('\n');
  if (old.length < SHORTEST || old.trim() === '' || lines.length * old.length ** 2 > MOST_WORK) return [];
  const candidates = findCandidates(lines, wanted).sort((a, b) => a.score - b.score || a.first - b.first);
  const chosen: number[] = [];
  for (const {first} of candidates) {
    if (chosen.every((other) => Math.abs(other - first) >= wanted.length)) chosen.push(first);
  }
  const starts = lineStarts(text);
  return chosen.sort((a, b) => a - b).map((first) => editLines(search, {starts, first, count: wanted.length}));
}

function findCandidates(lines: readonly string[], wanted: readonly string[]): Candidate[] {
  const needle = wanted.join('\n');
  const bareNeedle = bare(needle);
  const most = Math.floor(needle.length * ACCEPTED);
  const bareLines = lines.map(bare);
  const candidates: Candidate[] = [];
  let length = 0;
  for (const [index, line] of bareLines.entries()) {
    length += line.length - (bareLines[index - wanted.length]?.length ?? 0);
    const first = index - wanted.length + 1;
    if (first < 0 || Math.abs(length - bareNeedle.length) > most) continue;
    const distance = editDistance(bareLines.slice(first, index + 1).join(''), bareNeedle, most);
    if (distance === undefined) continue;
    const room = Math.floor(distance + (needle.length * ACCEPTED - distance) / WHITE_SPACE_WEIGHT);
    const whole = editDistance(lines.slice(first, index + 1).join('\n'), needle, room);
    if (whole === undefined) continue;
    const score = (distance + Math.max(0, whole - distance) * WHITE_SPACE_WEIGHT) / needle.length;
    if (score <= ACCEPTED) candidates.push({first, score});
  }
  return candidates;
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

/**
 * The Levenshtein distance, or undefined when it is over `most`; only the band of the table that can matter is
 * computed.
 */
export function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  const over = most + 1;
  let previous = Array.from({length: b.length + 1}, (_, column) => Math.min(column, over));
  let current = new Array<number>(b.length + 1).fill(over);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    current[from - 1] = from === 1 ? Math.min(row, over) : over;
    const least = fillRow(current, previous, b, {code: a.charCodeAt(row - 1), from, to, over});
    if (to < b.length) current[to + 1] = over;
    if (least > most) return undefined;
    [previous, current] = [current, previous];
  }
  const distance = previous[b.length] ?? over;
  return distance > most ? undefined : distance;
}

interface Band {
  /** The character of the other text that this row is about. */
  readonly code: number;
  readonly from: number;
  readonly to: number;
  readonly over: number;
}

/** Computes one row of the table from the one above, and gives the least value in it. */
function fillRow(current: number[], previous: readonly number[], b: string, {code, from, to, over}: Band): number {
  let least = current[from - 1] ?? over;
  for (let column = from; column <= to; column++) {
    const changed = (previous[column - 1] ?? over) + (code === b.charCodeAt(column - 1) ? 0 : 1);
    const value = Math.min(changed, (previous[column] ?? over) + 1, (current[column - 1] ?? over) + 1, over);
    current[column] = value;
    if (value < least) least = value;
  }
  return least;
}
