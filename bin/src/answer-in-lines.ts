import {introOf, linesOf, promptOf, readField} from '@gemini-kernel/command/lines';
import type {FormField, FormReply, FormValues, SentForm} from '@gemini-kernel/kernel';

/** A terminal that shows lines and reads them. */
export interface LineTerminal {
  /** Asks for one line; undefined at the end of the input. Shows nothing of what is typed when `isSecret`. */
  ask(question: string, options?: {readonly isSecret?: boolean}): Promise<string | undefined>;
  say(line: string): void;
}

/** Asks for each field of a form on a line of its own, again until it fits. The end of the input closes the form. */
export async function answerInLines(form: SentForm, terminal: LineTerminal): Promise<FormReply> {
  for (const line of introOf(form)) terminal.say(line);
  const values: Record<string, FormValues[string]> = {};
  for (const field of form.fields) {
    const value = await askField(field, terminal);
    if (value === undefined) return {outcome: 'closed'};
    values[field.name] = value;
  }
  return {outcome: 'answered', values};
}

/** The value of a field; undefined when the person gives none and it has no default. */
async function askField(field: FormField, terminal: LineTerminal): Promise<FormValues[string] | undefined> {
  for (const line of linesOf(field)) terminal.say(line);
  for (;;) {
    const line = await terminal.ask(promptOf(field), {isSecret: field.kind === 'secret'});
    const read = line === undefined ? 'closed' : readField(field, line);
    if (read === 'closed') return undefined;
    if ('value' in read) return read.value;
    terminal.say(read.fault);
  }
}
