import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {messageOf, type JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import {readText} from '@gemini-kernel/files';
import type {Eval, Judge, ProjectFile, Task} from './eval.js';
import {createEvalSchema} from './eval-schema.js';
import {EvalSource} from './eval-source.js';
import {readExpectation} from './read-expectation.js';
import {readFolder} from './read-folder.js';
import type {WrittenEval} from './written.js';

const SECONDS = 300;

/**
 * Reads the evaluation in a folder. The schema is compiled once for all that get the same. Throws KernelError
 * EVAL_INVALID, with the file, the key and the value.
 */
export async function readEval(folder: string, name: string, schema: JSONSchema = createEvalSchema()): Promise<Eval> {
  const source = new EvalSource(folder);
  const text = await readText(source.file).catch((error: unknown) => {
    throw source.fault(`it cannot be read: ${messageOf(error)}`, error);
  });
  const written = await parseEval(source, text, schema);
  const expect = await readExpectation(source, written.expect ?? {});
  const project = await readProject(source, written);
  const policy = await readPolicy(source, written.policy);
  const equal = expect.files.map((file) => file.equal ?? '');
  const more = [...equal, JSON.stringify(expect.answer?.schema ?? null)];
  return {
    ...{name, folder, task: taskOf(source, written), project, policy, expect},
    ...withDefaults(written),
    ...(written.judge === undefined ? {} : {judge: judgeOf(source, written.judge)}),
    digest: digestOf(text, [...project, ...policy], more),
  };
}

function withDefaults(
  written: WrittenEval,
): Pick<Eval, 'description' | 'models' | 'repeat' | 'passRate' | 'mode' | 'allow' | 'limits'> {
  const {description = '', models = [], repeat = 1, pass_rate: passRate = 1, mode = 'auto_edit', allow = []} = written;
  const {seconds = SECONDS, ...limits} = written.limits ?? {};
  return {description, models, repeat, passRate, mode, allow, limits: {...limits, seconds}};
}

async function parseEval(source: EvalSource, text: string, schema: JSONSchema): Promise<WrittenEval> {
  let table: unknown;
  try {
    table = parse(text);
  } catch (error) {
    throw source.fault(`it is not TOML: ${messageOf(error).split('\n')[0] ?? ''}.`, error);
  }
  const [violation] = await findViolations(schema, table, 'eval');
  if (violation !== undefined) throw source.fault(violation.replace(/^eval\./, ''));
  return table as WrittenEval;
}

function taskOf(source: EvalSource, {prompt, call}: WrittenEval): Task {
  if (prompt !== undefined && call === undefined) {
    if (prompt.trim() === '') throw source.fault('prompt is blank.');
    return {kind: 'prompt', prompt};
  }
  if (call !== undefined && prompt === undefined) return {kind: 'call', tool: call.tool, input: call.input ?? {}};
  throw source.fault(prompt === undefined ? 'it has neither prompt nor [call].' : 'it has both prompt and [call].');
}

function judgeOf(source: EvalSource, {files = [], ...judge}: NonNullable<WrittenEval['judge']>): Judge {
  if (new Set(judge.cases.map(({pass}) => pass)).size < 2)
    throw source.fault('judge.cases needs an answer that passes and one that does not.');
  return {...judge, files: files.map((path) => source.path('judge.files', path))};
}

/** The folder beside the file, then the texts of `[files]`. */
async function readProject(source: EvalSource, written: WrittenEval): Promise<readonly ProjectFile[]> {
  const folder = join(source.folder, source.path('project', written.project ?? 'project'));
  const found = await stat(folder).catch(() => undefined);
  if (written.project !== undefined && !found?.isDirectory())
    throw source.fault(`project names ${JSON.stringify(written.project)}, which is not a folder beside it.`);
  const fail = (what: string): Error => source.fault(`project: ${what}`);
  const beside = found?.isDirectory() ? await readFolder(folder, fail) : [];
  const texts = Object.entries(written.files ?? {}).map(([path, text]) => ({
    ...{path: source.path('files', path), bytes: new TextEncoder().encode(text), isExecutable: false},
  }));
  const own = new Set(texts.map(({path}) => path));
  return [...beside.filter(({path}) => !own.has(path)), ...texts];
}

async function readPolicy(source: EvalSource, named: WrittenEval['policy'] = []): Promise<readonly ProjectFile[]> {
  const paths = typeof named === 'string' ? [named] : named;
  return Promise.all(
    paths.map(async (path) => {
      if (!path.endsWith('.toml'))
        throw source.fault(`policy names ${JSON.stringify(path)}, which is not a .toml file.`);
      const bytes = new TextEncoder().encode(await source.text('policy', path));
      return {path: path.replaceAll('/', '-'), bytes, isExecutable: false};
    }),
  );
}

function digestOf(text: string, files: readonly ProjectFile[], more: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([text, more]));
  for (const {path, bytes, isExecutable} of files)
    hash.update(JSON.stringify([path, bytes.length, isExecutable])).update(bytes);
  return hash.digest('hex');
}
