import type {FormField, FormReply, FormValues, SentForm} from '@gemini-kernel/kernel';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  PermissionOption,
  RequestPermissionResponse,
} from '#sdk';

/** Who an elicitation is for: a session, or the request that is under way. */
export type ElicitationScope = {readonly sessionId: string} | {readonly requestId: string | number | null};

/** What a form is about, as lines. */
export function messageOf({title, text, source, isOurs}: SentForm): string {
  const by = isOurs ? [] : [`The plugin ${source} asks:`];
  return [...by, title, ...(text === undefined ? [] : [text])].join('\n');
}

/** Undefined for a form that asks for a secret: an editor shows what is typed, and keeps it. */
export function toElicitation(form: SentForm, scope: ElicitationScope): CreateElicitationRequest | undefined {
  const {fields} = form;
  if (fields.some(({kind}) => kind === 'secret')) return undefined;
  return {
    mode: 'form',
    ...scope,
    message: messageOf(form),
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
      required: fields.filter((field) => field.default === undefined).map(({name}) => name),
    },
  };
}

/** The kernel checks the values. */
export function readElicited(response: CreateElicitationResponse): FormReply {
  if (response.action !== 'accept' || !('content' in response)) return {outcome: 'closed'};
  const content = (response.content ?? {}) as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  ) as FormValues;
  return {outcome: 'answered', values};
}

/**
 * The answers of a form that is one question with few answers, for an editor that shows no forms; undefined for any
 * other form.
 */
export function toChoices({fields: [field, ...others]}: SentForm): PermissionOption[] | undefined {
  if (!field || others.length > 0) return undefined;
  if (field.kind === 'yes-no')
    return [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
      {optionId: 'no', name: 'No', kind: 'reject_once'},
    ];
  if (field.kind !== 'choice' || field.options.length === 0) return undefined;
  return [
    ...field.options.map(({value, label, description}): PermissionOption => ({
      optionId: `choose:${value}`,
      name: description ? `${label}: ${description}` : label,
      kind: 'allow_once',
    })),
    {optionId: 'close', name: 'Close', kind: 'reject_once'},
  ];
}

/** The value of the only field of a form; an answer that was not offered closes it. */
export function readChoice(form: SentForm, {outcome}: RequestPermissionResponse): FormReply {
  const [field] = form.fields;
  const chosen = outcome.outcome === 'selected' ? outcome.optionId : '';
  const isOffered = toChoices(form)?.some(({optionId}) => optionId === chosen);
  if (!field || !isOffered || chosen === 'close') return {outcome: 'closed'};
  const value = field.kind === 'yes-no' ? chosen === 'yes' : chosen.slice('choose:'.length);
  return {outcome: 'answered', values: {[field.name]: value}};
}

function toProperty(field: FormField): ElicitationPropertySchema {
  const about = {title: field.label, ...(field.description === undefined ? {} : {description: field.description})};
  if (field.kind === 'yes-no')
    return {type: 'boolean', ...about, ...(field.default === undefined ? {} : {default: field.default})};
  if (field.kind === 'several') {
    const anyOf = field.options.map(({value, label}) => ({const: value, title: label}));
    return {type: 'array', ...about, items: {anyOf}, ...(field.default ? {default: [...field.default]} : {})};
  }
  const given = field.default === undefined ? {} : {default: field.default};
  if (field.kind !== 'choice') return {type: 'string', ...about, ...given};
  const oneOf = field.options.map(({value, label, description}) => ({
    const: value,
    title: label,
    ...(description ? {description} : {}),
  }));
  return {type: 'string', ...about, oneOf, ...given};
}
