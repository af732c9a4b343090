import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

export interface Outcome {
  /** What was measured over what it is held against. */
  readonly ratio: number;
  readonly detail: string;
}

export interface Bench {
  readonly name: string;
  /** The ratio that must not be passed, and what it is a ratio of. */
  readonly target: {readonly atMost: number; readonly of: string};
  run(): Promise<Outcome>;
}

/** The middle of some figures. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export interface Program {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

const rssHook = fileURLToPath(new URL('../../bench/report-rss.cjs', import.meta.url));

/** Runs one process of Node to its end and gives the milliseconds it took. */
export function timeRun({argv, cwd, variables = {}}: Program): number {
  const env = {PATH: process.env['PATH'] ?? '', ...variables};
  const started = process.hrtime.bigint();
  const plain = spawnSync(process.execPath, argv, {cwd, env, stdio: ['ignore', 'pipe', 'pipe']});
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (plain.status !== 0)
    throw new Error(`node ${argv.join(' ')} ended with ${plain.status ?? plain.signal}: ${plain.stderr.toString()}`);
  return ms;
}

/** The most memory one process of Node had, in kilobytes. */
export function peakMemory({argv, cwd, variables = {}}: Program): number {
  const env = {PATH: process.env['PATH'] ?? '', ...variables};
  const run = spawnSync(process.execPath, ['--require', rssHook, ...argv], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  return Number(run.output[3]?.toString());
}

/** Medians of two programs run in turns, so that both see the same machine. */
export function compareRuns(a: Program, b: Program, rounds: number): {readonly a: number; readonly b: number} {
  timeRun(a);
  timeRun(b);
  const times = Array.from({length: rounds}, () => [timeRun(a), timeRun(b)] as const);
  return {a: median(times.map(([first]) => first)), b: median(times.map(([, second]) => second))};
}
