import type {Comparison, Difference} from '../compare/compare-runs.js';
import {signed} from '../compare/difference-table.js';
import type {Row} from '../results/summarize.js';
import {percent} from '../results/table.js';
import {escapeText} from './escape.js';

const LINE = 24;
const LEFT = 330;
const WIDTH = 420;
const RIGHT = 120;
const MOST_LABEL = 46;

interface Mark {
  readonly label: string;
  readonly low: number;
  readonly value: number;
  readonly high: number;
  readonly text: string;
  readonly kind: 'good' | 'bad' | 'plain';
}

/** Rates with their intervals. */
export function rateChart(rows: readonly Row[]): string {
  const marks = rows.flatMap((row): readonly Mark[] => {
    const {rate, interval, isGood} = row;
    if (rate === undefined) return [];
    const text = `${percent(rate)} of ${row.passed + row.failed}`;
    const label = `${row.eval} · ${row.model}`;
    return [{label, low: interval[0], value: rate, high: interval[1], text, kind: isGood ? 'good' : 'bad'}];
  });
  return chart(marks, [0, 1], 'Pass rate with its interval of 95 %');
}

/** Differences between two runs, each from nothing to its value. */
export function differenceChart({rows}: Comparison): string {
  const kinds: Readonly<Record<Difference['verdict'], Mark['kind']>> = {
    better: 'good',
    worse: 'bad',
    'no difference shown': 'plain',
  };
  const marks = rows.map(({eval: name, modelB, difference, verdict}): Mark => {
    const [low, high] = [Math.min(0, difference), Math.max(0, difference)];
    return {label: `${name} · ${modelB}`, low, value: difference, high, text: signed(difference), kind: kinds[verdict]};
  });
  return chart(marks, [-1, 1], 'Difference of the pass rates');
}

/** Means of a number as bars from zero. */
export function meanChart(rows: readonly Row[], title: string, valueOf: (row: Row) => number | undefined): string {
  const values = rows.flatMap((row) => {
    const value = valueOf(row);
    return value === undefined ? [] : [{row, value}];
  });
  const most = Math.max(...values.map(({value}) => value), 0);
  if (most === 0) return '';
  const marks = values.map(({row, value}): Mark => {
    const text = value >= 100 ? value.toFixed(0) : value.toPrecision(3);
    return {label: `${row.eval} · ${row.model}`, low: 0, value, high: value, text, kind: 'plain'};
  });
  return chart(marks, [0, most], title);
}

function chart(marks: readonly Mark[], [from, to]: readonly [number, number], title: string): string {
  if (marks.length === 0) return '';
  const height = (marks.length + 1) * LINE;
  const x = (value: number): string => (LEFT + ((value - from) / (to - from)) * WIDTH).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = x(from + part * (to - from));
    return `<line class="grid" x1="${at}" y1="0" x2="${at}" y2="${marks.length * LINE}"/>`;
  });
  const drawn = marks.map(({label, low, value, high, text, kind}, index) => {
    const y = index * LINE + LINE / 2;
    const shown = label.length > MOST_LABEL ? `${label.slice(0, MOST_LABEL - 1)}…` : label;
    return [
      `<g class="${kind}"><title>${escapeText(label)}: ${escapeText(text)}</title>`,
      `<text x="${LEFT - 10}" y="${y + 4}" text-anchor="end">${escapeText(shown)}</text>`,
      `<line class="bar" x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}"/>`,
      `<circle cx="${x(value)}" cy="${y}" r="4.5"/>`,
      `<text x="${LEFT + WIDTH + 12}" y="${y + 4}">${escapeText(text)}</text></g>`,
    ].join('');
  });
  const size = `viewBox="0 0 ${LEFT + WIDTH + RIGHT} ${height}"`;
  return [
    `<figure><figcaption>${escapeText(title)}</figcaption>`,
    `<svg ${size} role="img" aria-label="${escapeText(title)}">`,
    ...grid,
    ...drawn,
    '</svg></figure>',
  ].join('\n');
}
