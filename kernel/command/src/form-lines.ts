import {fieldFault, type FormField, type FormOption, type FormValues, type SentForm} from '@gemini-kernel/kernel';

type Value = FormValues[string];
type FieldOf<K extends FormField['kind']> = FormField & {readonly kind: K};

/** The lines before the fields of a form. A plugin that a person installed is named. */
export function introOf({title, text, source, isOurs}: SentForm): readonly string[] {
  return [isOurs ? title : `${title} (asked by the plugin ${source})`, ...(text === undefined ? [] : text.split('\n'))];
}

/** The lines before the answer to one field. */
export function linesOf(field: FormField): readonly string[] {
  const options = field.kind === 'several' ? field.options : [];
  const numbered = options.map(({label, description}, index) => {
    const more = description === undefined ? '' : `: ${description}`;
    return `  ${index + 1}. ${label}${more}`;
  });
  return [...(field.description === undefined ? [] : field.description.split('\n')), ...numbered];
}

/** What stands before the answer to one field, on its line. */
export function promptOf(field: FormField): string {
  if (field.kind === 'yes-no')
    return `${field.label} ${field.default === undefined ? '[y/n]' : field.default ? '[Y/n]' : '[y/N]'} `;
  if (field.kind === 'choice')
    return `${field.label} ${field.options.map((one) => markKey(one, one.value === field.default)).join(', ')}: `;
  if (field.kind === 'several') return `${field.label} (numbers): `;
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

/** `[y]es`: the letter that stands for an option, `[N]o` when an empty answer means it. */
export function markKey({key, label}: FormOption, isDefault = false): string {
  if (key === undefined) return label;
  const mark = `[${isDefault ? key.toUpperCase() : key}]`;
  return label.startsWith(key) ? `${mark}${label.slice(key.length)}` : `${mark} ${label}`;
}
