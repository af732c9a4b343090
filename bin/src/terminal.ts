import {createInterface} from 'node:readline/promises';
import {Writable} from 'node:stream';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import {revealHidden} from '@gemini-kernel/command/visible';
import {complain} from './process-environment.js';

/** Whether a person sits at this terminal. */
function hasPerson(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && process.env['CI'] !== 'true';
}

/** Shows a form line by line; undefined when no person is there. */
export async function answerAtTerminal(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
  // A screen that holds the terminal would lose the keys.
  if (!hasPerson() || process.stdin.isRaw) return undefined;
  const {answerInLines} = await import('./answer-in-lines.js');
  return answerInLines(form, {
    ask: (question, options) => askAtTerminal(revealHidden(question), signal, options),
    say: (line) => complain(revealHidden(line)),
  });
}

/** Asks one question at the terminal; undefined without a person, or at the end of the input. */
async function askAtTerminal(
  question: string,
  signal: AbortSignal,
  {isSecret = false} = {},
): Promise<string | undefined> {
  if (!hasPerson()) return undefined;
  const output = isSecret ? createMute() : process.stderr;
  if (isSecret) process.stderr.write(revealHidden(question));
  const terminal = createInterface({input: process.stdin, output, terminal: true});
  // While a question is open the terminal hands Ctrl+C over as a key; it means what it always means.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question, {signal}), closed]);
  } finally {
    terminal.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Takes what a terminal would echo, and shows nothing. */
function createMute(): Writable {
  return new Writable({write: (_chunk, _encoding, done) => done()});
}
