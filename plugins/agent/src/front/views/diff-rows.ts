import type {Graphemes, Paint} from '@gemini-kernel/terminal';
import {paintPieces, widthOfPieces, wrapPieces, type Piece} from './pieces.js';
import {runsOf, type DiffLine} from './read-diff.js';

interface RowParts {
  readonly columns: number;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
}

const SIGNS = {removed: '- ', added: '+ ', same: '  ', note: '  ', gap: '', file: ''} as const;
const BETWEEN = ' │ ';

/** The width of line numbers in a diff. */
export function numberWidth(lines: readonly DiffLine[]): number {
  return String(lines.reduce((most, {old = 0, now = 0}) => Math.max(most, old, now), 1)).length;
}

/** A diff with one number a line: the old one of removed lines, the new one of others. Long lines are wrapped. */
export function unifiedRows(lines: readonly DiffLine[], {columns, paint, graphemes}: RowParts): readonly string[] {
  const width = numberWidth(lines);
  return lines.flatMap((line) => {
    if (line.kind === 'file')
      return wrapPieces(line.pieces, {columns, graphemes}).map((row) => paintPieces(row, paint));
    const head = headOf(line, width);
    const room = Math.max(8, columns - width - 3);
    return wrapPieces(line.pieces, {columns: room, graphemes}).map((row, index) =>
      paintPieces([index === 0 ? head : blankHead(width), ...row], paint),
    );
  });
}

/** The old file at the left, the new one at the right. */
export function sideBySideRows(lines: readonly DiffLine[], parts: RowParts): readonly string[] {
  const {columns, paint, graphemes} = parts;
  const width = numberWidth(lines);
  const half = Math.floor((columns - BETWEEN.length) / 2);
  const cell = (line: DiffLine | undefined, number: number | undefined): readonly (readonly Piece[])[] => {
    if (!line) return [];
    const head = headOf({...line, old: number, now: number}, width);
    return wrapPieces(line.pieces, {columns: Math.max(8, half - width - 3), graphemes}).map((row, index) => [
      index === 0 ? head : blankHead(width),
      ...row,
    ]);
  };
  return pairsOf(lines).flatMap(({left, right}) => {
    if (left?.kind === 'file')
      return wrapPieces(left.pieces, {columns, graphemes}).map((row) => paintPieces(row, paint));
    const [old, now] = [cell(left, left?.old), cell(right, right?.now)];
    return Array.from({length: Math.max(old.length, now.length, 1)}, (_, index) => {
      const at = old[index] ?? [];
      const blank = ' '.repeat(Math.max(0, half - widthOfPieces(at)));
      return paintPieces([...at, {text: blank}, {text: BETWEEN, style: 'dim'}, ...(now[index] ?? [])], paint);
    });
  });
}

function headOf({kind, old, now}: Loose, width: number): Piece {
  const number = kind === 'removed' ? old : (now ?? old);
  const style = kind === 'removed' ? 'bad' : kind === 'added' ? 'good' : 'dim';
  return {text: `${(number === undefined ? '' : String(number)).padStart(width)} ${SIGNS[kind]}`, style};
}

type Loose = Pick<DiffLine, 'kind'> & {readonly old?: number | undefined; readonly now?: number | undefined};

function blankHead(width: number): Piece {
  return {text: ' '.repeat(width + 3)};
}

interface Pair {
  readonly left?: DiffLine | undefined;
  readonly right?: DiffLine | undefined;
}

/** Lines that stand beside each other. */
function pairsOf(lines: readonly DiffLine[]): readonly Pair[] {
  const runs = new Map(runsOf(lines).map((run) => [Math.min(...run.removed, ...run.added), run]));
  const done = new Set<number>();
  const pairs: Pair[] = [];
  lines.forEach((line, index) => {
    const run = runs.get(index);
    if (run) {
      for (let at = 0; at < Math.max(run.removed.length, run.added.length); at += 1) {
        const [left, right] = [run.removed[at], run.added[at]];
        pairs.push({
          left: left === undefined ? undefined : lines[left],
          right: right === undefined ? undefined : lines[right],
        });
      }
      for (const at of [...run.removed, ...run.added]) done.add(at);
    } else if (!done.has(index)) pairs.push({left: line, right: line.kind === 'file' ? undefined : line});
  });
  return pairs;
}
