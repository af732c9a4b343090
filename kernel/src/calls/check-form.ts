import {messageOf} from '../contract/error.js';
import type {Form, FormField} from '../contract/form.js';
import type {JSONSchema} from '../contract/json-schema.js';
import {findViolations} from '../catalog/schema.js';
import {fieldFault} from './form-fault.js';

// Text of one line: more of it could pass for another question.
const line = {type: 'string', pattern: '^[^\\n\\r]+$'};
const text = {type: 'string'};
const option = {type: 'object', required: ['value', 'label'], properties: {value: text, label: line, key: line}};
const pattern = {type: 'object', required: ['source', 'sentence'], properties: {source: text, sentence: line}};
const kind = {enum: ['yes-no', 'choice', 'several', 'text', 'secret', 'file']};
const options = {type: 'array', minItems: 1, items: option};
const name = {type: 'string', pattern: '^[A-Za-z][A-Za-z0-9._-]*$'};
const field = {
  type: 'object',
  required: ['name', 'label', 'kind'],
  properties: {name, label: line, description: text, kind, options, pattern},
  if: {properties: {kind: {enum: ['choice', 'several']}}},
  then: {required: ['options']},
};
const about = {type: 'object', required: ['kind'], properties: {kind: line}};
export const formSchema: JSONSchema = {
  type: 'object',
  required: ['title', 'about', 'fields'],
  properties: {title: line, text, about, fields: {type: 'array', items: field}},
};

/** Throws when a form is not one that every user interface can show: types do not bind a plugin in JavaScript. */
export async function checkForm(form: Form): Promise<void> {
  const [fault] = await findViolations(formSchema, form, 'form');
  if (fault !== undefined) throw new TypeError(`A form cannot be asked: ${fault}`);
  const names = new Set<string>();
  for (const field of form.fields) {
    const odd = names.has(field.name) ? 'is there twice' : defaultFault(field);
    if (odd !== undefined) throw new TypeError(`A form cannot be asked: its field "${field.name}" ${odd}.`);
    names.add(field.name);
  }
}

function defaultFault(field: FormField): string | undefined {
  try {
    if ('pattern' in field && field.pattern) new RegExp(field.pattern.source, 'u');
    const fault = field.default === undefined ? undefined : fieldFault(field, field.default);
    return fault && `has a default that does not fit: ${fault}`;
  } catch (error) {
    return `has a pattern that is not a regular expression: ${messageOf(error)}`;
  }
}
