import type {Comparison, Difference} from '../compare/compare-runs.js';
import {signed} from '../compare/difference-table.js';
import type {Row} from '../results/summarize.js';
import {percent} from '../results/table.js';
import {escapeText} from './escape.js';

const HEIGHT = 22;

interface Mark {
  readonly name: string;
  readonly model: string;
  readonly low: number;
  readonly value: number;
  readonly high: number;
  readonly text: string;
  readonly kind: 'good' | 'bad' | 'plain';
}

/** What is at the left end, in the middle and at the right end. */
interface Axis {
  readonly from: number;
  readonly to: number;
  show(value: number): string;
}

/** Rates with their intervals. */
export function rateChart(rows: readonly Row[]): string {
  const marks = rows.flatMap((row): readonly Mark[] => {
    const {eval: name, model, rate, interval, isGood} = row;
    if (rate === undefined) return [];
    const errors = row.errors === 0 ? '' : `, ${row.errors} ${row.errors === 1 ? 'error' : 'errors'}`;
    const text = `${percent(rate)} of ${row.passed + row.failed}${errors}`;
    return [{name, model, low: interval[0], value: rate, high: interval[1], text, kind: isGood ? 'good' : 'bad'}];
  });
  return chart(marks, {from: 0, to: 1, show: percent}, 'Pass rate with its interval of 95 %');
}

/** Differences between two runs, each from nothing to its value. */
export function differenceChart({rows}: Comparison): string {
  const kinds: Readonly<Record<Difference['verdict'], Mark['kind']>> = {
    better: 'good',
    worse: 'bad',
    'no difference shown': 'plain',
  };
  const marks = rows.map(({eval: name, modelB: model, difference, verdict}): Mark => {
    const [low, high] = [Math.min(0, difference), Math.max(0, difference)];
    return {name, model, low, value: difference, high, text: signed(difference), kind: kinds[verdict]};
  });
  return chart(marks, {from: -1, to: 1, show: signed}, 'Difference of the pass rates');
}

/** Means of a number as bars from zero. */
export function meanChart(rows: readonly Row[], title: string, valueOf: (row: Row) => number | undefined): string {
  const values = rows.flatMap((row) => {
    const value = valueOf(row);
    return value === undefined ? [] : [{row, value}];
  });
  const most = Math.max(...values.map(({value}) => value), 0);
  if (most === 0) return '';
  const show = (value: number): string => {
    if (value === 0) return '0';
    return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
  };
  const marks = values.map(({row: {eval: name, model}, value}): Mark => {
    return {name, model, low: 0, value, high: value, text: show(value), kind: 'plain'};
  });
  return chart(marks, {from: 0, to: most, show}, title);
}

/** Each mark is a row of names, a drawing and a number, so that a narrow screen can put them below each other. */
function chart(marks: readonly Mark[], axis: Axis, title: string): string {
  if (marks.length === 0) return '';
  const {from, to, show} = axis;
  return [
    `<figure><figcaption>${escapeText(title)}</figcaption>`,
    ...marks.map((mark) => drawMark(mark, axis)),
    '<div class="row axis"><span></span><span class="ends">',
    ...[from, (from + to) / 2, to].map((value) => `<span>${escapeText(show(value))}</span>`),
    '</span><span></span></div></figure>',
  ].join('\n');
}

function drawMark({name, model, low, value, high, text, kind}: Mark, {from, to}: Axis): string {
  const x = (at: number): string => `${(((at - from) / (to - from)) * 100).toFixed(2)}%`;
  const y = HEIGHT / 2;
  const grid = [0, 25, 50, 75, 100].map((at) => `<line class="grid" x1="${at}%" y1="0" x2="${at}%" y2="${HEIGHT}"/>`);
  return [
    `<div class="row ${kind}">${namesOf(name, model)}`,
    `<svg width="100%" height="${HEIGHT}" aria-hidden="true">${grid.join('')}`,
    `<line class="bar" x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}"/>`,
    `<circle cx="${x(value)}" cy="${y}" r="4.5"/></svg>`,
    `<span class="number">${escapeText(text)}</span></div>`,
  ].join('');
}

/** An evaluation, with its model below it. */
export function namesOf(name: string, model: string): string {
  return `<span class="names">${escapeText(name)} <small>${escapeText(model)}</small></span>`;
}
