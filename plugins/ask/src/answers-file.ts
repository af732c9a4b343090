import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Question} from './contract.js';

type Answer = string | boolean | readonly string[];

/** Answers by the header or the text of a question. */
export type Answers = ReadonlyMap<string, Answer>;

/** Reads the file of `--answers`. Throws KernelError ANSWERS_UNREADABLE. */
export async function readAnswers(path: string): Promise<Answers> {
  const fail = (why: string): never => {
    throw new KernelError('ANSWERS_UNREADABLE', `Cannot use the answers in ${path}: ${why}`, {
      hint: 'It is an object such as {"Database": "PostgreSQL", "Run the tests?": true, "Targets": ["web", "cli"]}.',
    });
  };
  const found = await parse(path).catch((error: unknown) => fail(messageOf(error)));
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return fail('it is not an object.');
  const answers = Object.entries(found as Readonly<Record<string, unknown>>);
  for (const [key, value] of answers)
    if (!isAnswer(value)) fail(`"${key}" is ${JSON.stringify(value)}, not a text, true, false or a list of texts.`);
  return new Map(answers.map(([key, value]) => [keyOf(key), value as Answer]));
}

async function parse(path: string): Promise<unknown> {
  return JSON.parse((await readText(path)).replace(/^\uFEFF/, ''));
}

/** The answer to a question, by its text or its header; undefined when the file has none. */
export function findAnswer(answers: Answers, question: Question): string | undefined {
  const value = answers.get(keyOf(question.question)) ?? answers.get(keyOf(question.header));
  if (value === undefined) return undefined;
  const labels = (question.options ?? []).map(({label}) => label);
  const named = (text: string): string => labels.find((label) => keyOf(label) === keyOf(text)) ?? text;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (question.type === 'yesno' && typeof value === 'string') return yesNo(value);
  return typeof value === 'string' ? named(value) : value.map(named).join(', ');
}

function yesNo(text: string): string {
  const word = keyOf(text);
  if (word === 'yes' || word === 'y') return 'Yes';
  return word === 'no' || word === 'n' ? 'No' : text;
}

function isAnswer(value: unknown): value is Answer {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isList || typeof value === 'string' || typeof value === 'boolean';
}

function keyOf(text: string): string {
  return text.trim().toLowerCase();
}
