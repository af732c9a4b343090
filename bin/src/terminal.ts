import {createInterface} from 'node:readline/promises';

/** Asks one question at the terminal; undefined when nobody sits there or the input ends. */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question, {signal}), closed]);
  } finally {
    terminal.close();
  }
}
