import {findViolations} from '@gemini-kernel/kernel/host';
import {messageOf} from '@gemini-kernel/kernel';
import type {AnswerCheck, CallCheck, Count, Expectation, FileCheck, RefusalCheck} from './eval.js';
import {quote, type EvalSource} from './eval-source.js';
import type {WrittenCall, WrittenExpectation, WrittenRefusal} from './written.js';

/** What `[expect]` means. Throws KernelError EVAL_INVALID. */
export async function readExpectation(source: EvalSource, written: WrittenExpectation): Promise<Expectation> {
  const {outcome = 'done', changed, files = {}, calls = [], refusals = [], answer, command} = written;
  const named = Object.entries(files);
  return {
    outcome,
    ...(changed === undefined ? {} : {changed: changed.map((path) => source.path('expect.changed', path)).sort()}),
    files: await Promise.all(named.map(([path, check]) => readFileCheck(source, path, check))),
    calls: calls.map((call, index) => readCall(source, `expect.calls.${index}`, call)),
    refusals: refusals.map((refusal, index) => readRefusal(source, `expect.refusals.${index}`, refusal)),
    ...(answer === undefined ? {} : {answer: await readAnswer(source, answer)}),
    ...(command === undefined
      ? {}
      : {
          command: {
            run: command.run,
            seconds: command.seconds ?? 60,
            ...patternOf(source, 'expect.command.output', command.output, 'output'),
          },
        }),
  };
}

async function readFileCheck(
  source: EvalSource,
  path: string,
  check: NonNullable<WrittenExpectation['files']>[string],
): Promise<FileCheck> {
  const key = `expect.files.${quote(path)}`;
  source.path('expect.files', path);
  const {absent = false, unchanged = false, equal_file: file, ...texts} = check;
  const others = Object.keys(check).filter((name) => name !== 'absent');
  if (absent && others.length > 0) throw source.fault(`${key} is absent, and cannot have ${others.join(', ')}.`);
  if (file !== undefined && texts.equal !== undefined) throw source.fault(`${key} has both equal and equal_file.`);
  const equal = file === undefined ? texts.equal : await source.text(`${key}.equal_file`, file);
  return {
    ...{path, absent, unchanged, contains: listOf(texts.contains), lacks: listOf(texts.lacks)},
    ...(equal === undefined ? {} : {equal}),
    ...patternOf(source, `${key}.pattern`, texts.pattern, 'pattern'),
  };
}

function readCall(source: EvalSource, key: string, written: WrittenCall): CallCheck {
  const {tool, input = {}, status, agent} = written;
  const patterns = Object.entries(input).map(([name, text]) => [name, source.pattern(`${key}.input.${name}`, text)]);
  return {
    tool,
    input: Object.fromEntries(patterns) as Readonly<Record<string, RegExp>>,
    ...(status === undefined ? {} : {status}),
    ...(agent === undefined ? {} : {agent}),
    ...countOf(source, key, written),
  };
}

function readRefusal(source: EvalSource, key: string, written: WrittenRefusal): RefusalCheck {
  const {tool, reason} = written;
  return {
    ...(tool === undefined ? {} : {tool}),
    ...patternOf(source, `${key}.reason`, reason, 'reason'),
    ...countOf(source, key, written),
  };
}

/** At least once, unless it says how often. */
function countOf(source: EvalSource, key: string, {least, most}: {least?: number; most?: number}): Count {
  const found = {least: least ?? (most === undefined ? 1 : Math.min(1, most)), most: most ?? Number.MAX_SAFE_INTEGER};
  if (found.least > found.most) throw source.fault(`${key} has least = ${found.least}, which is more than most.`);
  return found;
}

async function readAnswer(
  source: EvalSource,
  {contains, lacks, pattern, schema}: NonNullable<WrittenExpectation['answer']>,
): Promise<AnswerCheck> {
  return {
    ...{contains: listOf(contains), lacks: listOf(lacks)},
    ...patternOf(source, 'expect.answer.pattern', pattern, 'pattern'),
    ...(schema === undefined ? {} : {schema: await readSchema(source, schema)}),
  };
}

async function readSchema(source: EvalSource, path: string): Promise<Readonly<Record<string, unknown>>> {
  const key = 'expect.answer.schema';
  const text = await source.text(key, path);
  try {
    const schema = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('it is not an object');
    await findViolations(schema, null, 'answer');
    return schema;
  } catch (error) {
    throw source.fault(`${key} names ${quote(path)}, which is not a JSON Schema: ${messageOf(error)}.`, error);
  }
}

function patternOf<N extends string>(
  source: EvalSource,
  key: string,
  text: string | undefined,
  name: N,
): {readonly [K in N]?: RegExp} {
  return (text === undefined ? {} : {[name]: source.pattern(key, text)}) as {readonly [K in N]?: RegExp};
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
