import type {CallRecord} from '../contract.js';
import {fitWidth, revealedLine, safeLine, safeText, type Graphemes, type Paint} from '@gemini-kernel/terminal';

/** The inputs that best describe a call. */
const TELLING = [
  'command',
  'file_path',
  'path',
  'absolute_path',
  'pattern',
  'query',
  'url',
  'prompt',
  'dir_path',
  'name',
];
const HEAD_LINES = 4;
const TAIL_LINES = 4;
const WIDEST_ARGUMENT = 60;

/** A tool and its main input, in one short line. */
export function describeCall(tool: string, input: unknown, graphemes: Graphemes): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const names = [...TELLING, ...Object.keys(values)];
  const told = names
    .map((name) => values[name])
    .find((value): value is string => typeof value === 'string' && value !== '');
  const {agent_name: agent} = values;
  return [
    revealedLine(typeof agent === 'string' ? `${tool} ${agent.slice(0, WIDEST_ARGUMENT)}:` : tool),
    ...(told === undefined ? [] : [fitWidth(revealedLine(told.slice(0, 500)), WIDEST_ARGUMENT, graphemes)]),
  ].join(' ');
}

/** A duration as on a stop watch. */
export function describeTime(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return describeElapsed(ms);
}

/** A duration that is still running, in whole seconds. */
export function describeElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The result of a call: one line, and the beginning and end of its output. */
export function describeResult(call: CallRecord, paint: Paint, graphemes: Graphemes): string {
  const [mark, style, word] = outcomes[call.status];
  const display = safeText(call.display ?? '').trimEnd();
  const isShort = !display.includes('\n');
  const said = call.status === 'done' ? (isShort ? display : '') : safeLine(call.error?.message ?? '');
  const state = [word, said].filter((one) => one !== '').join(': ');
  const ended = state === '' ? '' : ` ${paint(style === 'good' ? 'dim' : style, `(${state})`)}`;
  const what = `${describeCall(call.name, call.input, graphemes)}${ended}`;
  const line = `${paint(style, mark)} ${what} ${paint('dim', describeTime(call.ms))}\n`;
  if (isShort) return line;
  const printed = shorten(display.split('\n')).map((one) => `  ${paint('dim', one)}\n`);
  return line + printed.join('');
}

const outcomes = {
  done: ['✓', 'good', ''],
  failed: ['✗', 'bad', 'failed'],
  refused: ['✗', 'warn', 'refused'],
  aborted: ['✗', 'warn', 'stopped'],
} as const;

/** Whether only a part of the output of a call is shown. */
export function isShortened({display = ''}: CallRecord): boolean {
  const lines = display.trimEnd().split('\n');
  return shorten(lines).length < lines.length;
}

/** The beginning and the end of many lines, with the number of omitted ones. */
export function shorten(lines: readonly string[]): readonly string[] {
  const left = lines.length - HEAD_LINES - TAIL_LINES;
  return left <= 1 ? lines : [...lines.slice(0, HEAD_LINES), `… ${left} lines omitted …`, ...lines.slice(-TAIL_LINES)];
}
