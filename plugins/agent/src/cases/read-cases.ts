import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {parse} from 'smol-toml';
import {readText} from '@gemini-kernel/files';
import {findNameFault} from '@gemini-kernel/files/writing';
import {messageOf, type KernelError} from '@gemini-kernel/kernel';

/** One case, as its file says. */
export interface Case {
  readonly name: string;
  readonly prompt: string;
  /** A recording beside the case that answers instead of a model. */
  readonly recording?: string;
  /** Written before the run. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of tools that have to be called. */
  readonly calls: readonly string[];
  /** Texts that the answer has to contain. */
  readonly answers: readonly string[];
  /** Texts that files have to contain after the run. */
  readonly expected: Readonly<Record<string, string>>;
}

/** Makes the error for a case that cannot be used, which the plugin that reads it owns. */
export type Invalid = (sentence: string, options: {readonly cause: unknown; readonly hint: string}) => KernelError;

/** The cases in a folder, by name. Throws what `invalid` makes, with the file and the key. */
export async function readCases(folder: string, invalid: Invalid): Promise<readonly Case[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): readonly string[] => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.toml')).sort();
  return Promise.all(files.map((name) => readCase(join(folder, name), invalid)));
}

async function readCase(file: string, invalid: Invalid): Promise<Case> {
  const hint = 'It has prompt, and may have recording, expect_calls, expect_answer, [files] and [expect_files].';
  const fail = (reason: string, cause?: unknown): KernelError => invalid(`The case ${file} ${reason}.`, {cause, hint});
  const text = await readText(file).catch((error: unknown) => {
    throw fail(`cannot be read: ${messageOf(error)}`, error);
  });
  const table = parseTable(text, fail);
  const {prompt, recording, files = {}, expect_files: expected = {}, ...more} = table;
  const {expect_calls: calls = [], expect_answer: answers = [], ...others} = more;
  const [odd] = Object.keys(others);
  if (odd !== undefined) throw fail(`has the unknown key ${odd}`);
  if (typeof prompt !== 'string' || prompt.trim() === '') throw fail('has no prompt');
  return {
    name: basename(file, '.toml'),
    prompt,
    ...(recording === undefined ? {} : {recording: join(dirname(file), fileOf(recording, fail))}),
    files: textsOf(files, 'files', fail),
    calls: listOf(calls, 'expect_calls', fail),
    answers: listOf(answers, 'expect_answer', fail),
    expected: textsOf(expected, 'expect_files', fail),
  };
}

type Fail = (reason: string, cause?: unknown) => KernelError;

function parseTable(text: string, fail: Fail): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    throw fail(`is not TOML: ${messageOf(error).split('\n')[0] ?? ''}`, error);
  }
}

function fileOf(recording: unknown, fail: Fail): string {
  if (typeof recording === 'string' && findNameFault(recording) === undefined) return recording;
  throw fail('has a recording that is not a file beside it');
}

function listOf(list: unknown, key: string, fail: Fail): readonly string[] {
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw fail(`has ${key} that is not a list of texts`);
}

/** Texts by path; a path stays inside the project of the run. */
function textsOf(table: unknown, key: string, fail: Fail): Readonly<Record<string, string>> {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) throw fail(`has ${key} that is not a table`);
  const entries = Object.entries(table).map(([path, text]: [string, unknown]): readonly [string, string] => {
    const fault = findNameFault(path);
    if (fault !== undefined) throw fail(`has a file ${JSON.stringify(path)} in ${key}, which ${fault}`);
    if (typeof text !== 'string') throw fail(`has ${key} with no text for ${path}`);
    return [path, text];
  });
  return Object.fromEntries(entries);
}
