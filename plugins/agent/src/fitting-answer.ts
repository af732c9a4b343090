import {findViolations} from '@gemini-kernel/kernel/host';

export type Schema = Readonly<Record<string, unknown>>;

/** What is added to a prompt when the answer must match a schema. */
export function askForForm(schema: Schema): string {
  return (
    'Your last message must be JSON, and nothing else, that is valid against this JSON ' +
    `Schema:\n${JSON.stringify(schema)}`
  );
}

/** The faults of an answer, a sentence each; empty when it is JSON that matches the schema. */
export async function findFaults(text: string, schema: Schema): Promise<readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(stripFence(text));
  } catch (error) {
    return [`It is not JSON: ${(error as Error).message}.`];
  }
  return findViolations(schema, value, 'the answer');
}

/** JSON without the code fence that models often add. */
export function stripFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text.trim();
}
