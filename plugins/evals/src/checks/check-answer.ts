import {findViolations} from '@gemini-kernel/kernel/host';
import type {AnswerCheck} from '../format/eval.js';
import {textFaults} from './text-faults.js';

/** A block of code that is the whole answer, as models write JSON. */
const FENCED = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/;

/** Why the last message is not as expected, as sentences. */
export async function checkAnswer(check: AnswerCheck | undefined, answer: string): Promise<readonly string[]> {
  if (check === undefined) return [];
  const {schema} = check;
  return [
    ...textFaults('The answer', answer, check),
    ...(schema === undefined ? [] : await schemaFaults(schema, FENCED.exec(answer)?.[1] ?? answer)),
  ];
}

async function schemaFaults(schema: Readonly<Record<string, unknown>>, text: string): Promise<readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [`The answer is not JSON: ${(error as Error).message}.`];
  }
  return (await findViolations(schema, value, 'answer')).map((violation) => `The schema is not met: ${violation}`);
}
