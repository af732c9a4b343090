import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {CommandHost} from '@gemini-kernel/command';
import {readText} from '@gemini-kernel/files';
import type {SourceFile} from '@gemini-kernel/files/sources';
import {messageOf} from '@gemini-kernel/kernel';
import {ACTIVATE} from '../tool-name.js';
import type {SkillCase} from './read-case.js';

/** How a case ended. */
export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** Why not, as sentences. */
  readonly faults: readonly string[];
  /** Names of the tools that were called. */
  readonly calls: readonly string[];
}

interface Run {
  readonly host: Pick<CommandHost, 'run'>;
  readonly skill: {readonly name: string; readonly files: readonly SourceFile[]};
  readonly temporary: string;
  /** Takes precedence over the recording of a case. */
  readonly model?: string | undefined;
  /** Tools that run without a question, beside those that only read and edit. */
  readonly allow: readonly string[];
  readonly deadline: number;
}

/** Runs a case in a new project that has only this skill, and removes the project. What the user has counts too. */
export async function runCase(one: SkillCase, run: Run): Promise<CaseResult> {
  const folder = await realpath(await mkdtemp(join(run.temporary, 'gemini-skill-test-')));
  try {
    for (const {path, bytes, isExecutable} of run.skill.files)
      await write(join(folder, '.gemini', 'skills', run.skill.name, path), bytes, isExecutable ? 0o755 : 0o644);
    for (const [path, text] of Object.entries(one.files)) await write(join(folder, path), text, 0o644);
    const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
    const end = await run.host.run(wordsOf(one, run), {
      directory: folder,
      show: false,
      variables,
      deadline: run.deadline,
    });
    if (end.isLate) return failed(one, [`It did not end within ${run.deadline / 1000} seconds.`]);
    const report = readReport(end.stdout);
    if (report === undefined) return failed(one, [`The run printed no report: ${lastLine(end.stderr)}`]);
    return await judge(one, report, folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** A headless prompt that may edit in its project. */
function wordsOf({prompt, recording}: SkillCase, {model, allow}: Run): readonly string[] {
  const chosen = model ?? (recording === undefined ? undefined : `replay:${recording}`);
  return [
    ...[`--prompt=${prompt}`, '--output-format', 'json', '--approval-mode', 'auto_edit'],
    ...['--allowed-tools', [ACTIVATE, ...allow].join(',')],
    ...(chosen === undefined ? [] : [`--model=${chosen}`]),
  ];
}

async function judge(one: SkillCase, {error, stats}: Report, folder: string): Promise<CaseResult> {
  const calls = Object.keys(stats?.tools?.byName ?? {});
  const faults = [
    ...(error ? [`The run failed: ${error.message}`] : []),
    ...one.calls.filter((call) => !calls.includes(call)).map((call) => `${call} was not called.`),
    ...(await compareFiles(one, folder)),
  ];
  return {name: one.name, passed: faults.length === 0, faults, calls};
}

async function write(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, content, {mode});
}

interface Report {
  readonly error?: {readonly message: string};
  readonly stats?: {readonly tools?: {readonly byName?: Readonly<Record<string, unknown>>}};
}

function readReport(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}

async function compareFiles({expected}: SkillCase, folder: string): Promise<readonly string[]> {
  const faults = Object.entries(expected).map(async ([path, text]) => {
    const found = await readText(join(folder, path)).catch((error: unknown) => ({reason: messageOf(error)}));
    if (typeof found !== 'string') return `${path} cannot be read: ${found.reason.split('\n')[0] ?? ''}`;
    return found.includes(text) ? undefined : `${path} does not contain ${JSON.stringify(text.slice(0, 80))}.`;
  });
  return (await Promise.all(faults)).filter((fault) => fault !== undefined);
}

function failed({name}: SkillCase, faults: readonly string[]): CaseResult {
  return {name, passed: false, faults, calls: []};
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'no reason was given';
}
