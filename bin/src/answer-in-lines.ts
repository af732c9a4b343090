import {fieldFault, type FormField, type FormReply, type FormValues, type SentForm} from '@gemini-kernel/kernel';

/** A terminal that shows lines and reads them. */
export interface LineTerminal {
  /** Asks for one line; undefined at the end of the input. Shows nothing of what is typed when `isSecret`. */
  ask(question: string, options?: {readonly isSecret?: boolean}): Promise<string | undefined>;
  say(line: string): void;
}

/** Asks for each field of a form on a line of its own, again until it fits. The end of the input closes the form. */
export async function answerInLines(form: SentForm, terminal: LineTerminal): Promise<FormReply> {
  terminal.say(form.isOurs ? form.title : `${form.title} (asked by the plugin ${form.source})`);
  if (form.text !== undefined) terminal.say(form.text);
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
  if (field.description !== undefined) terminal.say(field.description);
  if (field.kind === 'several') for (const line of listOptions(field)) terminal.say(line);
  for (;;) {
    const line = await terminal.ask(`${promptOf(field)} `, {isSecret: field.kind === 'secret'});
    if (line === undefined) return undefined;
    const typed = field.kind === 'secret' ? line : line.trim();
    if (typed === '') return field.default;
    const value = readers[field.kind](field as never, typed);
    const fault = value === undefined ? `"${typed}" is not an answer.` : fieldFault(field, value);
    if (fault === undefined) return value;
    terminal.say(fault);
  }
}

type FieldOf<K extends FormField['kind']> = FormField & {readonly kind: K};

const readers: {
  readonly [K in FormField['kind']]: (field: FieldOf<K>, typed: string) => FormValues[string] | undefined;
} = {
  'yes-no': (_, typed) => ({y: true, yes: true, n: false, no: false})[typed.toLowerCase()],
  choice: ({options}, typed) =>
    options.find(({key, label, value}) => [key, label, value].some((one) => one?.toLowerCase() === typed.toLowerCase()))
      ?.value,
  several({options}, typed) {
    const chosen = typed.split(/[\s,]+/).map((one) => options[Number(one) - 1]?.value);
    return chosen.includes(undefined) ? undefined : chosen.filter((one) => one !== undefined);
  },
  text: (_, typed) => typed,
  secret: (_, typed) => typed,
  file: (_, typed) => typed,
};

function promptOf(field: FormField): string {
  if (field.kind === 'yes-no')
    return `${field.label} ${field.default === undefined ? '[y/n]' : field.default ? '[Y/n]' : '[y/N]'}`;
  if (field.kind === 'choice') return `${field.label} ${field.options.map(markKey).join(', ')}:`;
  if (field.kind === 'several') return `${field.label} (numbers):`;
  return `${field.label}${field.default === undefined || field.kind === 'secret' ? '' : ` (${field.default})`}:`;
}

/** `[y]es`: the letter that stands for an option. */
function markKey({key, label}: FieldOf<'choice'>['options'][number]): string {
  if (key === undefined) return label;
  return label.startsWith(key) ? `[${key}]${label.slice(key.length)}` : `[${key}] ${label}`;
}

function listOptions({options}: FieldOf<'several'>): readonly string[] {
  return options.map(({label, description}, index) => {
    const more = description === undefined ? '' : `: ${description}`;
    return `  ${index + 1}. ${label}${more}`;
  });
}
