import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {compileProject, type Compiling} from './compile-plugin.js';
import {runProgram} from './run-program.js';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a run, and how each test ended, by its names from the outermost. */
export interface TestResults extends TestCounts {
  readonly ends: ReadonlyMap<string, 'passed' | 'failed' | 'skipped'>;
}

export interface TestRun extends Compiling {
  readonly colour: boolean;
  /** More variables for the tests. */
  readonly more?: Readonly<Record<string, string>>;
  /** Called with the runner's output. */
  onReport(text: string): void;
}

/** The output folder for tests in TypeScript: beside their own, so that relative imports still work. */
const COMPILED = '.test';

/**
 * Runs the tests of a built plugin with Node's own runner, and counts the results. Throws KernelError TESTS_MISSING or
 * CODE_UNCOMPILED.
 */
export async function runTests(run: TestRun): Promise<TestResults> {
  const {root, colour, variables, more, signal, onReport} = run;
  const files = await findTests(run);
  const scratch = await mkdtemp(join(tmpdir(), 'gemini-plugin-test-'));
  try {
    const report = join(scratch, 'report.tap');
    const args = [
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${report}`,
      ...files,
    ];
    // Within a test run, Node would treat this one as a part of it.
    const {NODE_TEST_CONTEXT: _, ...rest} = variables;
    await runProgram({
      program: ['node'],
      args,
      directory: root,
      variables: {...rest, ...more, ...(colour ? {FORCE_COLOR: '1'} : {})},
      signal,
      onOutput: onReport,
    });
    const tap = await readFile(report, 'utf8');
    return {...countTests(tap), ends: readEnds(tap)};
  } finally {
    await rm(scratch, {recursive: true, force: true});
  }
}

async function findTests(run: TestRun): Promise<readonly string[]> {
  const {root} = run;
  const own = await listTests(root, 'test');
  if (own.some((file) => file.endsWith('.ts'))) await compileTests(run);
  const compiled = own.some((file) => file.endsWith('.ts')) ? await listTests(root, COMPILED) : [];
  const files = [...own, ...compiled].filter((file) => !file.endsWith('.ts'));
  if (files.length > 0) return files;
  throw new KernelError('TESTS_MISSING', `There are no tests in ${join(root, 'test')}.`, {
    hint:
      'Write one: a file test/<name>.test.js that uses createTestKernel of @gemini-kernel/kernel/testing. ' +
      'docs/write-a-plugin.md has one.',
  });
}

async function listTests(root: string, folder: string): Promise<readonly string[]> {
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), {withFileTypes: true, recursive: true});
  return entries
    .filter((entry) => entry.isFile() && /\.test\.(js|mjs|ts)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

async function compileTests(run: TestRun): Promise<void> {
  await rm(join(run.root, COMPILED), {recursive: true, force: true});
  await mkdir(join(run.root, COMPILED));
  const options = {
    rootDir: '../test',
    outDir: '.',
    declaration: false,
    composite: false,
    incremental: false,
    noEmit: false,
  };
  const project = join(COMPILED, 'tsconfig.json');
  const base = existsSync(join(run.root, 'tsconfig.json')) ? {extends: '../tsconfig.json'} : {};
  await writeFile(
    join(run.root, project),
    JSON.stringify({...base, compilerOptions: options, include: ['../test'], exclude: []}),
  );
  if (await compileProject({...run, project})) return;
  throw new KernelError(
    'CODE_UNCOMPILED',
    `The tests of ${run.root} are in TypeScript, but there is no typescript in its node_modules.`,
    {hint: 'Run npm install there, or npm install --save-dev typescript@5.'},
  );
}

function countTests(tap: string): TestCounts {
  const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
  return {passed: count('pass'), failed: count('fail') + count('cancelled'), skipped: count('skipped') + count('todo')};
}

/** A line that begins a test, or ends one: those of inner tests are indented by four more. */
const LINE = /^( *)(?:# Subtest: (.*)|(not )?ok \d+ - (.*?)( # (?:SKIP|TODO).*)?)$/;

function readEnds(tap: string): TestResults['ends'] {
  const ends = new Map<string, 'passed' | 'failed' | 'skipped'>();
  const names: string[] = [];
  for (const line of tap.split('\n')) {
    const [, indent = '', begun, isFailed, ended, isSkipped] = LINE.exec(line) ?? [];
    const name = begun ?? ended;
    if (name === undefined) continue;
    names.length = indent.length / 4;
    names.push(name);
    if (ended === undefined) continue;
    ends.set(names.join(' > '), isSkipped ? 'skipped' : isFailed ? 'failed' : 'passed');
  }
  return ends;
}
