import {fieldFault, type FormField, type FormOption, type FormValues, type SentForm} from '@gemini-kernel/kernel';

type Value = FormValues[string];
type FieldOf<K extends FormField['kind']> = FormField & {readonly kind: K};

/** The lines before the fields of a form. A plugin that a person installed is named. */
export function introOf({title, text, source, isOurs}: SentForm): readonly string[] {
  return [isOurs ? title : `${title} (asked by the plugin ${source})`, ...(text === undefined ? [] : text.split('\n'))];
}

/** The options that are listed with numbers: where several can be chosen, or one without a letter is among them. */
const numberedOf = (field: FormField): readonly FormOption[] =>
  field.kind === 'several' || (field.kind === 'choice' && field.options.some(({key}) => !key)) ? field.options : [];

/** The lines before the answer to one field. */
export function linesOf(field: FormField): readonly string[] {
  const more = (text = ''): string => text && `: ${text}`;
  const options = numberedOf(field).map(({label, description}, at) => `  ${at + 1}. ${label}${more(description)}`);
  return [...(field.description?.split('\n') ?? []), ...options];
}

/** What stands before the answer to one field, on its line. */
export function promptOf(field: FormField): string {
  if (field.kind === 'yes-no')
    return `${field.label} ${field.default === undefined ? '[y/n]' : field.default ? '[Y/n]' : '[y/N]'} `;
  const usual = numberedOf(field).findIndex(({value}) => value === field.default) + 1;
  if (numberedOf(field).length > 0)
    return `${field.label} (number${field.kind === 'several' ? 's' : usual > 0 ? `, Enter for ${usual}` : ''}): `;
  if (field.kind === 'choice')
    return `${field.label} ${field.options.map((one) => markKey(one, one.value === field.default)).join(', ')}: `;
  return `${field.label}${field.default === undefined || field.kind === 'secret' ? '' : ` (${field.default})`}: `;
}

/**
 * What a line means as the answer to a field: a value, what is wrong with it, or, when it is empty and the field has no
 * default, that the form is closed.
 */
export function readField(
  field: FormField,
  line: string,
): {readonly value: Value} | {readonly fault: string} | 'closed' {
  const typed = field.kind === 'secret' ? line : line.trim();
  if (typed === '') return field.default === undefined ? 'closed' : {value: field.default};
  // The reader of a kind gets fields of that kind.
  const value = (readers[field.kind] as (field: FormField, typed: string) => Value | undefined)(field, typed);
  if (value === undefined) return {fault: `"${typed}" is not an answer.`};
  const fault = fieldFault(field, value);
  return fault === undefined ? {value} : {fault};
}

const readers: {readonly [K in FormField['kind']]: (field: FieldOf<K>, typed: string) => Value | undefined} = {
  'yes-no': (_, typed) => ({y: true, yes: true, n: false, no: false})[typed.toLowerCase()],
  choice: (field, typed) =>
    numberedOf(field)[Number(typed) - 1]?.value ??
    field.options.find((o) => [o.key, o.label, o.value].some((w) => w?.toLowerCase() === typed.toLowerCase()))?.value,
  several({options}, typed) {
    const chosen = typed.split(/[\s,]+/).map((one) => options[Number(one) - 1]?.value);
    return chosen.includes(undefined) ? undefined : chosen.filter((one) => one !== undefined);
  },
  text: (_, typed) => typed,
  secret: (_, typed) => typed,
  file: (_, typed) => typed,
};

/** `[y]es`: the letter that stands for an option, `[N]o` when an empty answer means it. */
export function markKey({key, label}: FormOption, isDefault = false): string {
  if (key === undefined) return label;
  const mark = `[${isDefault ? key.toUpperCase() : key}]`;
  return label.startsWith(key) ? `${mark}${label.slice(key.length)}` : `${mark} ${label}`;
}
