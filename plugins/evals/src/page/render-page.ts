import type {Comparison} from '../compare/compare-runs.js';
import {saidP, showP, signed} from '../compare/difference-table.js';
import type {Result, Run} from '../results/result.js';
import {summarize, type Row} from '../results/summarize.js';
import {percent} from '../results/table.js';
import type {Variant} from '../variant/variant.js';
import {differenceChart, meanChart, namesOf, rateChart} from './charts.js';
import {escapeText} from './escape.js';
import {STYLE} from './style.js';

/** Failed repetitions that are listed with their faults. */
const MOST_LISTED = 500;

/** A run, and how it differs from another, as one page of HTML: no script, and nothing from elsewhere. */
export function renderPage(run: Run, comparison?: Comparison): string {
  const {rows, totals} = summarize(run);
  const {header, results, file} = run;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Evaluations</title>',
    `<style>${STYLE}</style></head><body>`,
    '<h1>Evaluations</h1>',
    `<p>${results.length} results of gemini ${escapeText(header.version)}, started ${escapeText(header.started)}: `,
    `${escapeText(file)}</p>`,
    ...(header.variant === undefined ? [] : variantOf(header.variant)),
    ...(comparison === undefined ? [] : differencesOf(comparison)),
    '<h2>Pass rates</h2>',
    rateChart(rows),
    tableOf([...rows, ...(rows.length > totals.length ? totals : [])]),
    '<h2>What it took</h2>',
    meanChart(rows, 'US dollars for a repetition', ({cost}) => cost),
    meanChart(rows, 'Turns', ({turns}) => turns),
    meanChart(rows, 'Seconds', ({seconds}) => seconds),
    ...faultsOf(results),
    '</body></html>',
    '',
  ].join('\n');
}

function variantOf({component, value}: Variant): readonly string[] {
  return [
    `<details><summary>Variant: ${escapeText(component)}</summary>`,
    `<pre>${value === '' ? '(left out)' : escapeText(value)}</pre></details>`,
  ];
}

function tableOf(rows: readonly Row[]): string {
  const heads = ['Evaluation', 'Passed', 'Rate', '95 %', 'Errors', 'Turns', 'Tokens', 'Cost', 'Seconds'];
  const lines = rows.map((row) => {
    const {rate, interval, cost, isGood} = row;
    const [low, high] = interval;
    return [
      `<tr><td>${namesOf(row.eval, row.model)}</td>`,
      `<td class="${isGood ? 'good' : 'bad'}">${row.passed}/${row.passed + row.failed}</td>`,
      ...[
        rate === undefined ? '-' : percent(rate),
        rate === undefined ? '-' : `${percent(low)} to ${percent(high)}`,
        String(row.errors),
        row.turns.toFixed(1),
        row.tokens.toFixed(0),
        cost === undefined ? '-' : `$${cost.toFixed(4)}`,
        row.seconds.toFixed(1),
      ].map((cell) => `<td>${cell}</td>`),
      '</tr>',
    ].join('');
  });
  return table(heads, lines);
}

function differencesOf(comparison: Comparison): readonly string[] {
  const {a, total, rows, missing} = comparison;
  const lines = rows.map((row) => {
    const kind = row.verdict === 'better' ? 'good' : row.verdict === 'worse' ? 'bad' : '';
    const names = row.modelA === row.modelB ? row.modelA : `${row.modelA} → ${row.modelB}`;
    return [
      `<tr><td>${namesOf(`${row.eval}${row.isChanged ? ' (changed)' : ''}`, names)}</td>`,
      ...[row.a, row.b].map(({passed, failed}) => `<td>${passed}/${passed + failed}</td>`),
      `<td class="${kind}">${signed(row.difference)}</td>`,
      `<td>${escapeText(showP(row.p))}</td><td>${escapeText(showP(row.adjusted))}</td></tr>`,
    ].join('');
  });
  return [
    '<h2>Difference</h2>',
    `<p>Compared with ${escapeText(a)}: ${signed(total.difference)}, ${escapeText(saidP(total.p))}:`,
    `<strong>${total.verdict}</strong>. The test`,
    'is Fisher’s exact one, two-sided. Over all evaluations it is the exact conditional test, in which each is a',
    'stratum.</p>',
    differenceChart(comparison),
    table(['Evaluation', 'Before', 'Now', 'Difference', 'p', 'Holm'], lines),
    ...(missing.length === 0 ? [] : [`<p>Only in one of them: ${missing.map(escapeText).join(', ')}</p>`]),
  ];
}

function table(heads: readonly string[], lines: readonly string[]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join('');
  return `<div class="scroll"><table><tr>${head}</tr>\n${lines.join('\n')}\n</table></div>`;
}

function faultsOf(results: readonly Result[]): readonly string[] {
  const failed = results.filter(({status}) => status !== 'passed');
  if (failed.length === 0) return [];
  const listed = failed.slice(0, MOST_LISTED).map(({eval: name, model, repetition, status, faults}) => {
    const title = `${status}: ${name} · ${model} · ${repetition}`;
    const text = faults.map((fault) => `${fault}\n`).join('');
    return `<details><summary>${escapeText(title)}</summary><pre>${escapeText(text)}</pre></details>`;
  });
  const more = failed.length - listed.length;
  return [
    '<h2>What did not pass</h2>',
    '<p><code>gemini evals replay</code> shows the conversation of a repetition.</p>',
    ...listed,
    ...(more > 0 ? [`<p>${more} more are in the results.</p>`] : []),
  ];
}
