import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {Question} from './questions.js';
import type {Truth} from './ground-truth.js';

/** What was read for an answer, and whether it holds what was asked for. */
export interface Answer {
  readonly bytes: number;
  readonly isRight: boolean;
  /** What the model read last. */
  readonly text: string;
}

/** Lines that a careful reader takes of a file at once. */
const AT_ONCE = 100;

/** By searching for the name and reading where it is defined: in parts that hold it, or the whole file. */
export async function bySearching(kernel: TestKernel, {kind, truth}: Question, whole: boolean): Promise<Answer> {
  const found = await call(kernel, 'grep_search', {pattern: `\\b${truth.name}\\b`});
  if (kind === 'uses' || holds(found, kernel, truth)) return {bytes: found.length, isRight: true, text: found};
  let bytes = found.length;
  let read = '';
  const file_path = join(kernel.project, truth.path);
  for (let from = truth.first; whole ? read === '' : from <= truth.last; from += AT_ONCE) {
    const part = whole ? {} : {start_line: from, end_line: from + AT_ONCE - 1};
    const text = await call(kernel, 'read_file', {file_path, ...part});
    bytes += text.length;
    read += text;
  }
  return {bytes, isRight: holds(read, kernel, truth), text: read};
}

/** By the tools that know names. */
export async function byName(kernel: TestKernel, {kind, truth}: Question): Promise<Answer> {
  const name = truth.owner === undefined ? truth.name : `${truth.owner}.${truth.name}`;
  if (kind === 'uses') {
    const text = await call(kernel, 'code_find', {name, what: 'references', max_results: 1000});
    return {bytes: text.length, isRight: !text.startsWith('failed'), text};
  }
  if (kind === 'read') {
    const text = await ofOne(kernel, 'code_read', {name}, truth);
    return {bytes: text.length, isRight: holds(text, kernel, truth), text};
  }
  // Nothing is read before it: the place is the name.
  const file = join(kernel.project, truth.path);
  const before = readFileSync(file, 'utf8');
  const sign = truth.path.endsWith('.py') ? '#' : '//';
  const text = await ofOne(kernel, 'code_edit', {name, action: 'insert_before', text: `${sign} A note.\n`}, truth);
  const lines = readFileSync(file, 'utf8').split('\n');
  const added = lines.findIndex((line) => line.trim() === `${sign} A note.`);
  // An empty line can stand between the note and the symbol.
  const isApart = [1, 2].some((count) => lines.toSpliced(added, count).join('\n') === before);
  return {bytes: text.length, isRight: added >= 0 && isApart && added < truth.first, text};
}

/** Asks for a name, and where several symbols have it, for the one of the file that the answer names. */
async function ofOne(kernel: TestKernel, tool: string, input: object, {path}: Truth): Promise<string> {
  const text = await call(kernel, tool, input);
  return /symbols are named/.test(text) ? text + (await call(kernel, tool, {...input, path})) : text;
}

async function call(kernel: TestKernel, tool: string, input: object): Promise<string> {
  const end = await kernel.call(tool, input);
  if (end.status === 'done') return String(end.result.model);
  return `failed: ${end.status === 'failed' ? end.error.message : end.reason}`;
}

/** Whether a text has every line of a symbol, however each begins. */
function holds(text: string, kernel: TestKernel, {path, first, last}: Truth): boolean {
  const lines = readFileSync(join(kernel.project, path), 'utf8')
    .split('\n')
    .slice(first - 1, last);
  return lines.every((line) => text.includes(line.trim()));
}
