import type {Piece} from './pieces.js';

type Marked = readonly Pick<Piece, 'text' | 'isMarked'>[];

const WORDS = /[\p{L}\p{N}_]+|\s+|./gsu;
/** More words are compared by their starts and ends only. */
const MOST_WORDS = 300;
/** Lines with less in common are different lines, and nothing in them is marked. */
const LEAST_COMMON = 0.3;

/** Two versions of a line, each in parts: marked is what the other one does not have. */
export function markWords(before: string, after: string): readonly [Marked, Marked] {
  const [old, now] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  const [oldKept, nowKept] = old.length * now.length > MOST_WORDS ** 2 ? commonEnds(old, now) : common(old, now);
  const kept = old.filter((word, index) => oldKept.has(index) && word.trim() !== '').join('').length;
  const total = Math.max(before.replaceAll(/\s/g, '').length, after.replaceAll(/\s/g, '').length);
  if (kept < LEAST_COMMON * total) return [[{text: before}], [{text: after}]];
  return [join(old, oldKept), join(now, nowKept)];
}

/** The places of a longest common sequence of words in both. */
function common(old: readonly string[], now: readonly string[]): readonly [Set<number>, Set<number>] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const kept = [new Set<number>(), new Set<number>()] as const;
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      kept[0].add(row++);
      kept[1].add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}

function commonEnds(old: readonly string[], now: readonly string[]): readonly [Set<number>, Set<number>] {
  const kept = [new Set<number>(), new Set<number>()] as const;
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) {
    kept[0].add(start);
    kept[1].add(start++);
  }
  for (let back = 1; back <= most - start && old.at(-back) === now.at(-back); back += 1) {
    kept[0].add(old.length - back);
    kept[1].add(now.length - back);
  }
  return kept;
}

/** Words as few parts. */
function join(words: readonly string[], kept: ReadonlySet<number>): Marked {
  const parts: {text: string; isMarked: boolean}[] = [];
  words.forEach((text, index) => {
    const isMarked = !kept.has(index);
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += text;
    else parts.push({text, isMarked});
  });
  return parts;
}
