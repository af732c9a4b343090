import type {Confirmation, FormField, FormReply, FormValues, Preview, SentForm} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {ElicitRequestFormParams, ElicitResult} from '#sdk';

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];
type Property = Properties[string];

const MOST_PREVIEW = 6000;

/** The question about a call. An approval for good is the business of the person at a terminal, not of a client. */
export function toQuestionRequest({call, preview, reason, choices}: Question): ElicitRequestFormParams {
  const offered = choices.filter(({unavailable, answer}) => !unavailable && answer.remember !== 'always');
  return {
    mode: 'form',
    message: [`Run ${call.tool}? ${reason}`, showPreview(preview) ?? showTouches(call)].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: `Run ${call.tool}?`,
          enum: offered.map(({value}) => value),
          enumNames: offered.map(({label}) => label),
        },
      },
      required: ['answer'],
    },
  };
}

/** Only an answer that was offered counts as yes. */
export function readConfirmation({choices}: Question, {action, content}: ElicitResult): Confirmation {
  const refusal: Confirmation = {decision: 'no', reason: 'The person at the MCP client refused it.'};
  if (action !== 'accept') return refusal;
  const chosen = choices.find(({value, unavailable}) => value === content?.['answer'] && !unavailable);
  return chosen && chosen.answer.remember !== 'always' ? chosen.answer : refusal;
}

/** Undefined for a form that asks for a secret, which may not be asked for through a client. */
export function toFormRequest({title, text, source, isOurs, fields}: SentForm): ElicitRequestFormParams | undefined {
  if (fields.some(({kind}) => kind === 'secret')) return undefined;
  const by = isOurs ? [] : [`The plugin ${source} asks:`];
  return {
    mode: 'form',
    message: [...by, title, ...(text === undefined ? [] : [text])].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
      required: fields.filter((field) => field.default === undefined).map(({name}) => name),
    },
  };
}

/** The kernel checks the values. */
export function readReply({action, content}: ElicitResult): FormReply {
  if (action !== 'accept') return {outcome: 'closed'};
  const values: FormValues = Object.fromEntries(
    Object.entries(content ?? {}).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
  return {outcome: 'answered', values};
}

function toProperty(field: FormField): Property {
  const about = {
    title: field.label,
    ...(field.description === undefined ? {} : {description: field.description}),
  };
  if (field.kind === 'yes-no')
    return {type: 'boolean', ...about, ...(field.default === undefined ? {} : {default: field.default})};
  if (field.kind === 'several') {
    const given = field.default === undefined ? {} : {default: [...field.default]};
    return {type: 'array', ...about, items: {type: 'string', enum: field.options.map(({value}) => value)}, ...given};
  }
  const given = field.default === undefined ? {} : {default: field.default};
  if (field.kind === 'choice')
    return {
      type: 'string',
      ...about,
      enum: field.options.map(({value}) => value),
      enumNames: field.options.map(({label}) => label),
      ...given,
    };
  return {type: 'string', ...about, ...given};
}

function showPreview(preview: Preview | undefined): string | undefined {
  switch (preview?.kind) {
    case 'diff':
      return shorten(preview.diff);
    case 'command':
      return shorten(`${preview.command}\nin ${preview.directory}`);
    case 'urls':
      return shorten(preview.urls.join('\n'));
    case 'text':
      return shorten(preview.text);
    case undefined:
      return undefined;
  }
}

function showTouches({touches, input}: Question['call']): string {
  if (touches.length === 0) return shorten(JSON.stringify(input));
  return shorten(touches.map(({access, value}) => `${access} ${value}`).join('\n'));
}

function shorten(text: string): string {
  if (text.length <= MOST_PREVIEW) return text;
  return `${text.slice(0, MOST_PREVIEW)}\n[${text.length - MOST_PREVIEW} more characters are not shown]`;
}
