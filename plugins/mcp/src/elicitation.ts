import type {Form, FormAnswer, FormField, FormOption, FormValues} from '@gemini-kernel/kernel';
import {isTable} from './config/is-table.js';
import type {ElicitAnswer, ElicitRequest} from './connection/answer-server.js';

type Table = Readonly<Record<string, unknown>>;
type Value = string | number | boolean | string[];

/** The question of a server as a form. */
export function toForm(server: string, request: ElicitRequest): Form {
  const about = {kind: 'mcp-elicitation', server};
  if (request.mode === 'url')
    return {
      title: `The MCP server "${server}" asks you to open an address.`,
      text: `${request.message}\n${request.url ?? ''}`,
      about: {...about, url: request.url},
      fields: [{name: 'opened', label: 'Have you opened it?', kind: 'yes-no', default: false}],
    };
  return {
    title: `The MCP server "${server}" asks: ${request.message}`,
    text: 'Your answer goes to the server. Give it no passwords and no keys.',
    about,
    fields: propertiesOf(request).map(([name, schema, isRequired]) => toField(name, schema, isRequired)),
  };
}

function propertiesOf({requestedSchema}: ElicitRequest): readonly (readonly [string, Table, boolean])[] {
  if (!isTable(requestedSchema) || !isTable(requestedSchema['properties'])) return [];
  const {required} = requestedSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(requestedSchema['properties']).map(
    ([name, schema]) => [name, isTable(schema) ? schema : {}, needed.has(name)] as const,
  );
}

function toField(name: string, schema: Table, isRequired: boolean): FormField {
  const {title, description, type} = schema;
  const base = {
    name,
    label: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' ? {description} : {}),
  };
  const given = schema['default'];
  if (type === 'boolean')
    return {...base, kind: 'yes-no', ...(isRequired && given === undefined ? {} : {default: given === true})};
  if (type === 'array') {
    const options = optionsOf(isTable(schema['items']) ? schema['items'] : {}) ?? [];
    return {...base, kind: 'several', options, default: Array.isArray(given) ? given.map(String) : []};
  }
  const options = optionsOf(schema);
  if (options) return {...base, kind: 'choice', options, ...(given === undefined ? {} : {default: String(given)})};
  return {...base, kind: 'text', ...defaultText(given, isRequired), ...patternOf(type, isRequired)};
}

function defaultText(given: unknown, isRequired: boolean): {readonly default?: string} {
  if (given !== undefined) return {default: String(given)};
  return isRequired ? {} : {default: ''};
}

function patternOf(
  type: unknown,
  isRequired: boolean,
): {readonly pattern?: {readonly source: string; readonly sentence: string}} {
  const empty = isRequired ? '' : '|';
  if (type === 'integer') return {pattern: {source: `-?\\d+${empty}`, sentence: 'Enter a whole number.'}};
  if (type === 'number')
    return {pattern: {source: `-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?${empty}`, sentence: 'Enter a number.'}};
  return {};
}

/** The values of an enumeration, in each of the forms that revisions of the protocol have had. */
function optionsOf(schema: Table): readonly FormOption[] | undefined {
  const titled = [schema['oneOf'], schema['anyOf']].find(Array.isArray);
  if (titled)
    return titled
      .filter(isTable)
      .map((one) => ({value: String(one['const']), label: String(one['title'] ?? one['const'])}));
  const {enum: values, enumNames: names} = schema;
  if (!Array.isArray(values)) return undefined;
  return values.map((value, index) => ({
    value: String(value),
    label: String((Array.isArray(names) ? (names[index] as unknown) : undefined) ?? value),
  }));
}

/** What a person answered, as the server gets it. */
export function toElicitAnswer(request: ElicitRequest, answer: FormAnswer): ElicitAnswer {
  if (answer.outcome !== 'answered') return {action: answer.outcome === 'closed' ? 'decline' : 'cancel'};
  if (request.mode === 'url') return {action: answer.values['opened'] === true ? 'accept' : 'decline'};
  return {action: 'accept', content: contentOf(request, answer.values)};
}

function contentOf(request: ElicitRequest, values: FormValues): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    propertiesOf(request).flatMap(([name, {type}, isRequired]): [string, Value][] => {
      const value = values[name];
      if (value === undefined || (value === '' && !isRequired)) return [];
      if (typeof value === 'string') return [[name, type === 'number' || type === 'integer' ? Number(value) : value]];
      return [[name, typeof value === 'boolean' ? value : [...value]]];
    }),
  );
}
