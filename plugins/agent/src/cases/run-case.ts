import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {CommandHost} from '@gemini-kernel/command';
import {readText} from '@gemini-kernel/files';
import type {SourceFile} from '@gemini-kernel/files/sources';
import {messageOf} from '@gemini-kernel/kernel';
import type {Case} from './read-cases.js';

/** How a case ended. */
export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** Why not, as sentences. */
  readonly faults: readonly string[];
  /** Names of the tools that were called. */
  readonly calls: readonly string[];
}

/** What a run printed. */
export interface RunReport {
  /** Why it failed. */
  readonly error?: string;
  readonly calls: readonly string[];
  readonly answer: string;
}

export interface CaseRun {
  readonly host: Pick<CommandHost, 'run'>;
  /** Of the project in which it runs, beside those of the case. */
  readonly files: readonly SourceFile[];
  readonly temporary: string;
  /** Milliseconds. */
  readonly deadline: number;
  /** The words of the program. */
  readonly words: readonly string[];
  /** Reads what it printed; undefined when that is no report. */
  read(stdout: string): RunReport | undefined;
}

/** Runs a case in a new project, and removes the project. What the user has counts too. */
export async function runCase(one: Case, run: CaseRun): Promise<CaseResult> {
  const folder = await realpath(await mkdtemp(join(run.temporary, 'gemini-case-')));
  try {
    for (const {path, bytes, isExecutable} of run.files)
      await write(join(folder, path), bytes, isExecutable ? 0o755 : 0o644);
    for (const [path, text] of Object.entries(one.files)) await write(join(folder, path), text, 0o644);
    const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
    const {deadline} = run;
    const end = await run.host.run(run.words, {directory: folder, show: false, variables, deadline});
    if (end.isLate) return failed(one, [`It did not end within ${deadline / 1000} seconds.`]);
    const report = run.read(end.stdout);
    if (report === undefined) return failed(one, [`The run printed no report: ${lastLine(end.stderr)}`]);
    return await judge(one, report, folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function judge(one: Case, {error, calls, answer}: RunReport, folder: string): Promise<CaseResult> {
  const faults = [
    ...(error === undefined ? [] : [`The run failed: ${error}`]),
    ...one.calls.filter((call) => !calls.includes(call)).map((call) => `${call} was not called.`),
    ...one.answers
      .filter((text) => !answer.includes(text))
      .map((text) => `The answer does not contain ${quote(text)}.`),
    ...(await compareFiles(one, folder)),
  ];
  return {name: one.name, passed: faults.length === 0, faults, calls};
}

async function write(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, content, {mode});
}

async function compareFiles({expected}: Case, folder: string): Promise<readonly string[]> {
  const faults = Object.entries(expected).map(async ([path, text]) => {
    const found = await readText(join(folder, path)).catch((error: unknown) => ({reason: messageOf(error)}));
    if (typeof found !== 'string') return `${path} cannot be read: ${found.reason.split('\n')[0] ?? ''}`;
    return found.includes(text) ? undefined : `${path} does not contain ${quote(text)}.`;
  });
  return (await Promise.all(faults)).filter((fault) => fault !== undefined);
}

function failed({name}: Case, faults: readonly string[]): CaseResult {
  return {name, passed: false, faults, calls: []};
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'no reason was given';
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
