import {readText} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {Row} from './plan.js';
import {planFault} from './plan-fault.js';
import {parseCsv} from './parse-csv.js';

const LARGEST = 256 * 2 ** 20;

/**
 * The rows of a file: `.csv` with a line of names, `.jsonl` with an object a line, anything else with a repository a
 * line. Throws KernelError FLEET_PLAN_INVALID.
 */
export async function readRows(file: string): Promise<readonly Row[]> {
  const text = await readText(file, {limit: LARGEST}).catch((error: unknown) => {
    throw planFault(file, `it cannot be read: ${messageOf(error)}`, {cause: error, hint: 'Name a file with rows.'});
  });
  const rows = parse(file, text.replace(/^\uFEFF/, ''));
  if (rows.length === 0) throw planFault(file, 'there is no row in it.', {hint: 'Write one repository a line.'});
  return rows;
}

function parse(file: string, text: string): readonly Row[] {
  if (/\.csv$/i.test(file)) return parseCsv(text, file);
  const lines = text.split(/\r?\n/).map((line, index) => ({line: line.trim(), where: `${file}:${index + 1}`}));
  if (/\.(jsonl|ndjson)$/i.test(file))
    return lines.flatMap(({line, where}) => (line === '' ? [] : [rowOf(parseLine(line, where), where)]));
  return lines.flatMap(({line}) => (line === '' || line.startsWith('#') ? [] : [{repository: line}]));
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw planFault(where, 'this line is no JSON.', {cause: error, hint: 'Write one JSON object a line.'});
  }
}

/** An object as a row: what is no text is written as JSON. Throws KernelError FLEET_PLAN_INVALID. */
export function rowOf(value: unknown, where: string): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw planFault(where, 'this is no JSON object.', {hint: 'Write one JSON object a line.'});
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}
