import {fillForm, type FormReply, type SentForm} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';

const MOST = 16_000;

/** A question about a call, as a message. The answers that keep a rule are not offered: the caller is a program. */
export function describeQuestion({call, reason, preview}: Question): string {
  const shown =
    preview?.kind === 'diff'
      ? preview.diff
      : preview?.kind === 'command'
        ? `${preview.command}\nin ${preview.directory}`
        : preview?.kind === 'urls'
          ? preview.urls.join('\n')
          : (preview?.text ?? JSON.stringify(call.input));
  return `May ${call.tool} run? Answer yes or no.\n${reason}\n\n${shown.slice(0, MOST)}`;
}

/** Anything but a yes is a no. */
export function isYes(text: string): boolean {
  return /^\s*(?:y|yes)\s*[.!]?\s*$/i.test(text);
}

export function describeForm({title, text, fields}: SentForm): string {
  const lines = fields.map(
    (field) =>
      `- ${field.name}: ${field.label}` +
      ('options' in field ? ` (${field.options.map(({value}) => value).join(', ')})` : ''),
  );
  const how = fields.length === 1 ? 'Answer with the value.' : 'Answer with a JSON object of these values:';
  return [title, ...(text ? [text] : []), how, ...lines].join('\n');
}

/** The values of an answer; what does not fit closes the form. */
export function readForm(form: SentForm, text: string): FormReply {
  const {fields} = form;
  const [only] = fields;
  const given = parse(text);
  const single = fields.length === 1 && only ? {[only.name]: only.kind === 'yes-no' ? isYes(text) : text.trim()} : {};
  const filled = fillForm(form, given ?? single);
  return 'values' in filled ? {outcome: 'answered', values: filled.values} : {outcome: 'closed'};
}

function parse(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
