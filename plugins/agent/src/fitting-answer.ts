import {findViolations} from '@gemini-kernel/kernel/host';

export type Schema = Readonly<Record<string, unknown>>;

/** What a prompt says besides when the answer has to be of a form. */
export function askForForm(schema: Schema): string {
  return (
    'Your last message must be JSON, and nothing else, that is valid against this JSON ' +
    `Schema:\n${JSON.stringify(schema)}`
  );
}

/** What is wrong with an answer, a sentence each; none when it is JSON of the form. */
export async function findFaults(text: string, schema: Schema): Promise<readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(stripFence(text));
  } catch (error) {
    return [`It is not JSON: ${(error as Error).message}.`];
  }
  return findViolations(schema, value, 'the answer');
}

/** JSON without the fence of a code block that models like to put around it. */
export function stripFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text.trim();
}
