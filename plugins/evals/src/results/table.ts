import type {Row, Summary} from './summarize.js';

type Paint = (kind: 'good' | 'bad' | 'dim', text: string) => string;

const MOST_NAME = 60;
const MOST_FAULTS = 3;

/** A summary as lines of a table, with the most frequent faults of what is not good. */
export function tableOf({rows, totals}: Summary, paint: Paint): readonly string[] {
  const shown = [...rows, ...(rows.length > totals.length ? totals : [])];
  const cells = [
    ['evaluation', 'model', 'passed', 'rate', '95 %', 'errors', 'turns', 'tokens', 'cost', 'seconds'],
    ...shown.map(cellsOf),
  ];
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  return [
    `  ${paint('dim', head)}`,
    ...body.flatMap((line, index) => {
      const row = shown[index];
      if (!row) return [];
      const faults = index < rows.length && !row.isGood ? row.faults.slice(0, MOST_FAULTS) : [];
      return [`${row.isGood ? paint('good', '✓') : paint('bad', '✗')} ${line}`, ...faults.map(faultLine)];
    }),
  ];
}

function cellsOf(row: Row): readonly string[] {
  const {rate, interval, cost} = row;
  const [low, high] = interval;
  return [
    shorten(row.eval),
    shorten(row.model),
    `${row.passed}/${row.passed + row.failed}`,
    rate === undefined ? '-' : percent(rate),
    rate === undefined ? '-' : `${percent(low)} to ${percent(high)}`,
    String(row.errors),
    row.turns.toFixed(1),
    row.tokens.toFixed(0),
    cost === undefined ? '-' : `$${cost.toFixed(4)}`,
    row.seconds.toFixed(1),
  ];
}

function faultLine({fault, count}: {readonly fault: string; readonly count: number}): string {
  return `    ${count > 1 ? `${count} × ` : ''}${fault.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
}

export function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}

function shorten(name: string): string {
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
}
