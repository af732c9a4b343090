import {createInterface} from 'node:readline/promises';

/** Asks one question at the terminal; undefined when nobody sits there or the input ends. */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || process.env['CI'] === 'true') return undefined;
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  // While a question is open the terminal hands Ctrl+C over as a key; it means what it always means.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question, {signal}), closed]);
  } finally {
    terminal.close();
  }
}
