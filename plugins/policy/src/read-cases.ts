import {readdir, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {parse, TomlError} from 'smol-toml';
import {isCases} from './load-policy.js';
import {modes, type Decision, type Mode} from './rule.js';

/** A call and how it has to be judged. */
export interface PolicyCase {
  readonly file: string;
  readonly name: string;
  readonly tool: string;
  readonly server?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly modes: readonly Mode[];
  readonly interactive: boolean;
  readonly expect: Decision;
  /** Id of the rule that has to decide. */
  readonly rule?: string;
}

const decisions = new Map<unknown, Decision>([
  ['allow', 'allow'],
  ['ask', 'ask'],
  ['ask_user', 'ask'],
  ['deny', 'deny'],
]);

/**
 * The cases in the files given, and in the `*.test.toml` of folders. Throws KernelError POLICY_CASES_INVALID, naming
 * the case.
 */
export async function readCases(paths: readonly string[]): Promise<readonly PolicyCase[]> {
  const cases: PolicyCase[] = [];
  for (const path of paths) for (const file of await filesOf(path)) cases.push(...(await readFileOfCases(file)));
  return cases;
}

async function filesOf(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    return (await readdir(path))
      .filter(isCases)
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new KernelError(
      'POLICY_CASES_INVALID',
      `The cases in ${path} cannot be read: ${isMissing ? 'it does not exist.' : messageOf(cause)}`,
      {cause, hint: 'Give files of cases, or folders with files *.test.toml.'},
    );
  }
}

async function readFileOfCases(file: string): Promise<readonly PolicyCase[]> {
  let table: Record<string, unknown>;
  try {
    table = parse(await readText(file));
  } catch (cause) {
    const [what = ''] = messageOf(cause).replace('Invalid TOML document: ', '').split('\n');
    throw invalid(cause instanceof TomlError ? `${file}:${cause.line}:${cause.column}` : file, what, cause);
  }
  const {case: cases, ...others} = table;
  const [odd] = Object.keys(others);
  if (odd !== undefined || !Array.isArray(cases))
    throw invalid(file, odd === undefined ? 'there is no [[case]]' : `"${odd}" is not one of its keys`);
  return cases.map((one, index) => readCase(file, one as Readonly<Record<string, unknown>>, index + 1));
}

const KEYS = ['name', 'tool', 'server', 'input', 'mode', 'interactive', 'expect', 'rule'];

function readCase(file: string, one: Readonly<Record<string, unknown>>, number: number): PolicyCase {
  const {name = `case ${number}`, tool, server, input = {}, mode = 'default', interactive = true, expect, rule} = one;
  const fail = (what: string): KernelError => invalid(file, `case ${number} (${String(name)}): ${what}`);
  const odd = Object.keys(one).find((key) => !KEYS.includes(key));
  if (odd !== undefined) throw fail(`"${odd}" is not one of ${KEYS.join(', ')}`);
  if (typeof tool !== 'string' || tool === '') throw fail('it names no tool');
  if (!isTable(input)) throw fail('its input is not a table');
  if (typeof interactive !== 'boolean') throw fail('interactive is true or false');
  const decision = decisions.get(expect);
  if (!decision) throw fail('expect is one of allow, ask, deny');
  const named = [mode].flat().map(modeOf);
  if (named.includes(undefined)) throw fail(`mode is one of ${modes.join(', ')}, or a list of them`);
  return {
    file: basename(file),
    name: String(name),
    tool,
    input,
    modes: named.filter((one) => one !== undefined),
    interactive,
    expect: decision,
    ...textsOf({server, rule}),
  };
}

function isTable(value: unknown): value is PolicyCase['input'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function modeOf(word: unknown): Mode | undefined {
  return modes.find((known) => known === word || (word === 'autoEdit' && known === 'auto_edit'));
}

/** Those of the values that are texts. */
function textsOf(values: {readonly server: unknown; readonly rule: unknown}): Pick<PolicyCase, 'server' | 'rule'> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}

function invalid(file: string, what: string, cause?: unknown): KernelError {
  return new KernelError('POLICY_CASES_INVALID', `The cases in ${file} cannot be read: ${what}.`, {
    cause,
    hint: 'A case looks like this: [[case]] tool = "read_file", input = {file_path = "a.txt"}, expect = "allow".',
  });
}
