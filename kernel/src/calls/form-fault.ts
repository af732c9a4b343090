import type {Form, FormField, FormValues} from '../contract/form.js';

type Value = FormValues[string] | undefined;

const TYPES = {'yes-no': 'boolean', choice: 'string', text: 'string', secret: 'string', file: 'string'} as const;

/** What is wrong with a value for a field, as a sentence for the person; undefined when it fits. */
export function fieldFault(field: FormField, value: Value): string | undefined {
  const given = value ?? field.default;
  if (given === undefined) return `${field.label} needs an answer.`;
  if (field.kind === 'several') {
    if (!Array.isArray(given)) return `${field.label} needs a list.`;
    const odd = (given as readonly string[]).find((one) => !hasOption(field, one));
    return odd === undefined ? undefined : noOption(field, odd);
  }
  if (typeof given !== TYPES[field.kind]) return `${field.label} needs a ${TYPES[field.kind]}.`;
  const text = String(given);
  if (field.kind === 'choice') return hasOption(field, text) ? undefined : noOption(field, text);
  if (field.kind === 'yes-no' || !field.pattern) return undefined;
  return new RegExp(`^(?:${field.pattern.source})$`, 'u').test(text) ? undefined : field.pattern.sentence;
}

/** The values of a form with its defaults, or the first thing that is wrong with them. */
export function fillForm({fields}: Form, values: FormValues): {readonly values: FormValues} | {readonly fault: string} {
  const filled: Record<string, FormValues[string]> = {};
  for (const field of fields) {
    const value = (Object.hasOwn(values, field.name) ? values[field.name] : undefined) ?? field.default;
    const fault = fieldFault(field, value);
    if (fault !== undefined || value === undefined) return {fault: fault ?? field.label};
    filled[field.name] = value;
  }
  return {values: filled};
}

type WithOptions = FormField & {readonly kind: 'choice' | 'several'};

function hasOption({options}: WithOptions, value: string): boolean {
  return options.some((one) => one.value === value);
}

function noOption({options}: WithOptions, value: string): string {
  return `${JSON.stringify(value)} is not one of ${options.map((one) => one.value).join(', ')}.`;
}
