import {describeVariant} from '../variant/variant.js';
import {percent} from '../results/table.js';
import type {Comparison, Difference, Verdict} from './compare-runs.js';

type Paint = (kind: 'good' | 'bad' | 'dim', text: string) => string;

/** A comparison as lines. */
export function differenceTable(comparison: Comparison, paint: Paint): readonly string[] {
  const {rows, total, missing} = comparison;
  const cells = [
    ['evaluation', 'a', 'b', 'b - a', 'p', 'Holm', 'turns', 'tokens', ''],
    ...rows.map((row) => cellsOf(row)),
  ];
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lines = cells.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const marks = [' ', ...rows.map(({verdict}) => markOf(verdict, paint))];
  const all = `all evaluations: ${signed(total.difference)}, ${saidP(total.p)}: ${total.verdict}`;
  return [
    ...variantLines(comparison).map((line) => paint('dim', line)),
    ...lines.map((line, index) => `${marks[index] ?? ''} ${index === 0 ? paint('dim', line) : line}`.trimEnd()),
    `${markOf(total.verdict, paint)} ${all}`,
    ...(missing.length === 0 ? [] : [paint('dim', `Only in one of them: ${missing.join(', ')}`)]),
  ];
}

/** Which variant each run is, where one of them is. */
function variantLines({variantA, variantB}: Comparison): readonly string[] {
  if (variantA === undefined && variantB === undefined) return [];
  return [['a', variantA] as const, ['b', variantB] as const].map(
    ([name, variant]) => `${name}: ${variant === undefined ? 'without a variant' : describeVariant(variant)}`,
  );
}

function cellsOf(row: Difference): readonly string[] {
  const {a, b, difference, p, adjusted, isChanged} = row;
  return [
    `${row.eval}${row.modelA === row.modelB ? `  ${row.modelA}` : `  ${row.modelA} → ${row.modelB}`}`,
    ...[a, b].map(({passed, failed}) => `${passed}/${passed + failed}`),
    signed(difference),
    showP(p),
    showP(adjusted),
    `${a.turns.toFixed(1)} → ${b.turns.toFixed(1)}`,
    `${a.tokens.toFixed(0)} → ${b.tokens.toFixed(0)}`,
    isChanged ? 'the evaluation was changed' : '',
  ];
}

export function signed(difference: number): string {
  return `${difference > 0 ? '+' : ''}${percent(difference)}`;
}

/** The smallest that three places show is a bound. */
export function showP(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

export function saidP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

function markOf(verdict: Verdict, paint: Paint): string {
  if (verdict === 'better') return paint('good', '▲');
  return verdict === 'worse' ? paint('bad', '▼') : paint('dim', '=');
}
