import type {ErrorObject, ValidateFunction} from 'ajv/dist/2020.js';
import type {JSONSchema} from './json-schema.js';

/** Validators by the very schema object they were made from. */
const compiled = new WeakMap<JSONSchema, Promise<ValidateFunction>>();

async function compile(schema: JSONSchema): Promise<ValidateFunction> {
  const {Ajv2020} = await import('ajv/dist/2020.js');
  // Whether a schema is one is checked when a plugin is built; compiling the schema of schemas takes longer than a short command.
  const ajv = new Ajv2020({strict: false, allErrors: true, validateFormats: false, meta: false, validateSchema: false});
  const {$schema: _, ...rest} = schema;
  return ajv.compile(rest);
}

function validatorOf(schema: JSONSchema): Promise<ValidateFunction> {
  const known = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, known);
  return known;
}

/** One sentence per thing in `value` that the schema does not accept; none when it is valid. Throws when the schema itself is wrong. */
export async function findViolations(schema: JSONSchema, value: unknown, name: string): Promise<readonly string[]> {
  const validate = await validatorOf(schema);
  if (validate(value)) return [];
  return [...new Set((validate.errors ?? []).map((error) => describe(error, value, name)))];
}

function describe(error: ErrorObject, value: unknown, name: string): string {
  const keys = error.instancePath.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [name, ...keys].join('.');
  if (error.keyword === 'additionalProperties') return `${path} has an unknown key "${String(error.params['additionalProperty'])}".`;
  if (error.keyword === 'required') return `${path} lacks "${String(error.params['missingProperty'])}".`;
  const found = keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
  const allowed = error.keyword === 'enum' ? `: ${(error.params['allowedValues'] as unknown[]).map((one) => JSON.stringify(one)).join(', ')}` : '';
  return `${path} ${error.message ?? 'is not accepted'}${allowed}, not ${shorten(JSON.stringify(found) ?? 'undefined')}.`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
