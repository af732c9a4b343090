import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {readText} from '@gemini-kernel/files';
import {findNameFault} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** One case of a skill, as its file says. */
export interface SkillCase {
  readonly name: string;
  readonly prompt: string;
  /** A recording beside the case that answers instead of a model. */
  readonly recording?: string;
  /** Written before the run. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of tools that have to be called. */
  readonly calls: readonly string[];
  /** Texts that files have to contain after the run. */
  readonly expected: Readonly<Record<string, string>>;
}

/** The cases in the folder `tests` of a skill, by name. Throws KernelError SKILL_INVALID with the file and the key. */
export async function readCases(folder: string): Promise<readonly SkillCase[]> {
  const names = await readdir(join(folder, 'tests')).catch((error: NodeJS.ErrnoException): readonly string[] => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.toml')).sort();
  return Promise.all(files.map((name) => readCase(folder, name)));
}

async function readCase(folder: string, name: string): Promise<SkillCase> {
  const file = join(folder, 'tests', name);
  const fail = (reason: string, cause?: unknown): KernelError =>
    new KernelError('SKILL_INVALID', `The case ${file} ${reason}.`, {
      cause,
      hint: 'It has prompt, and may have recording, expect_calls, [files] and [expect_files].',
    });
  const text = await readText(file).catch((error: unknown) => {
    throw fail(`cannot be read: ${messageOf(error)}`, error);
  });
  const table = parseTable(text, fail);
  const {prompt, recording, files = {}, expect_calls: calls = [], expect_files: expected = {}, ...others} = table;
  const [odd] = Object.keys(others);
  if (odd !== undefined) throw fail(`has the unknown key ${odd}`);
  if (typeof prompt !== 'string' || prompt.trim() === '') throw fail('has no prompt');
  return {
    name: name.slice(0, -'.toml'.length),
    prompt,
    ...(recording === undefined ? {} : {recording: join(folder, 'tests', fileOf(recording, fail))}),
    files: textsOf(files, 'files', fail),
    calls: namesOf(calls, fail),
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

function namesOf(calls: unknown, fail: Fail): readonly string[] {
  if (Array.isArray(calls) && calls.every((call) => typeof call === 'string')) return calls;
  throw fail('has expect_calls that is not a list of names of tools');
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
