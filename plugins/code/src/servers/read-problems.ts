import type {Problem} from '../contract.js';
import {isTable} from './connection.js';

const MOST_PROBLEMS = 500;
const MOST_MESSAGE = 1000;
const MOST_TEXT = 200;

/** The errors and warnings of a list in the protocol's form. Throws Error for what is no list. */
export function readProblems(found: unknown, text: string): readonly Problem[] {
  if (!Array.isArray(found)) throw new Error('it sent diagnostics that are no list');
  const lines = text.split(/\r\n|\r|\n/);
  return found.flatMap((one: unknown) => readProblem(one, lines) ?? []).slice(0, MOST_PROBLEMS);
}

function readProblem(one: unknown, lines: readonly string[]): Problem | undefined {
  if (!isTable(one) || typeof one['message'] !== 'string') return undefined;
  const {severity = 1, range, message, code} = one;
  const start = isTable(range) && isTable(range['start']) ? range['start'] : {};
  const [line, column] = [toIndex(start['line']), toIndex(start['character'])];
  if ((severity !== 1 && severity !== 2) || line === undefined || column === undefined) return undefined;
  return problemOf({isError: severity === 1, line, column, message, code}, lines);
}

/** The errors and warnings of a list in the form of TypeScript's own server. Throws Error for what is no list. */
export function readTypescriptProblems(found: unknown, text: string): readonly Problem[] {
  if (!Array.isArray(found)) throw new Error('it sent diagnostics that are no list');
  const lines = text.split(/\r\n|\r|\n/);
  const problems = found.flatMap((one: unknown): Problem[] => {
    if (!isTable(one) || typeof one['text'] !== 'string' || !isTable(one['start'])) return [];
    const {category, start, text: message, code} = one;
    const [line, column] = [toIndex(start['line']), toIndex(start['offset'])];
    if ((category !== 'error' && category !== 'warning') || !line || !column) return [];
    return [problemOf({isError: category === 'error', line: line - 1, column: column - 1, message, code}, lines)];
  });
  return problems.slice(0, MOST_PROBLEMS);
}

interface Found {
  readonly isError: boolean;
  /** From 0. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly code: unknown;
}

function problemOf({isError, line, column, message, code}: Found, lines: readonly string[]): Problem {
  const isCode = typeof code === 'number' || typeof code === 'string';
  return {
    severity: isError ? 'error' : 'warning',
    line: line + 1,
    column: column + 1,
    message: message.slice(0, MOST_MESSAGE),
    ...(isCode ? {code: String(code).slice(0, MOST_TEXT)} : {}),
    text: (lines[line] ?? '').trim().slice(0, MOST_TEXT),
  };
}

function toIndex(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
