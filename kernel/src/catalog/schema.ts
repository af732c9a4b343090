import type {ErrorObject, Options, ValidateFunction} from 'ajv/dist/2020.js';
import type {JSONSchema} from '../contract/json-schema.js';

type Validators = Readonly<Record<string, ValidateFunction>>;

/** How to get the validator of a schema: of the very object, and of each that says the same as one of the build. */
const sources = new WeakMap<JSONSchema, () => Promise<ValidateFunction>>();
const prepared = new Map<string, () => Promise<ValidateFunction>>();

// Whether a schema is one is checked when a plugin is built; compiling the schema of schemas takes longer than a short
// command.
const options: Options = {strict: false, allErrors: true, validateFormats: false, meta: false, validateSchema: false};

// An asynchronous validator would answer with a promise, which is true whatever it says.
async function compile({$schema: _, $async: __, ...schema}: JSONSchema): Promise<ValidateFunction> {
  const {Ajv2020} = await import('ajv/dist/2020.js');
  return new Ajv2020(options).compile(schema);
}

function validatorOf(schema: JSONSchema): Promise<ValidateFunction> {
  const known = sources.get(schema) ?? prepared.get(JSON.stringify(schema));
  if (known) return known();
  const compiled = compile(schema);
  sources.set(schema, () => compiled);
  return compiled;
}

/** CommonJS code that exports the validators of some schemas by name, for a build to keep; see `useValidators`. */
export async function writeValidators(schemas: Readonly<Record<string, JSONSchema>>): Promise<string> {
  const {Ajv2020} = await import('ajv/dist/2020.js');
  const {default: standalone} = await import('ajv/dist/standalone/index.js');
  const ajv = new Ajv2020({...options, code: {source: true}});
  for (const [name, {$schema: _, ...schema}] of Object.entries(schemas)) ajv.addSchema(schema, name);
  return standalone.default(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
}

/** Makes schemas be checked by what `writeValidators` wrote for them, so that nothing need be compiled. */
export function useValidators(load: () => Promise<Validators>, schemas: Readonly<Record<string, JSONSchema>>): void {
  // A module that a bundle loads is copied by each import of it.
  let loading: Promise<Validators> | undefined;
  for (const [name, schema] of Object.entries(schemas)) {
    prepared.set(JSON.stringify(schema), async () => (await (loading ??= load()))[name] ?? compile(schema));
  }
}

/**
 * One sentence per thing in `value` that the schema does not accept; none when it is valid. Throws when the schema
 * itself is wrong.
 */
export async function findViolations(schema: JSONSchema, value: unknown, name: string): Promise<readonly string[]> {
  const validate = await validatorOf(schema);
  if (validate(value) === true) return [];
  return [...new Set((validate.errors ?? []).map((error) => describe(error, value, name)))];
}

function describe(error: ErrorObject, value: unknown, name: string): string {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [name, ...keys].join('.');
  if (error.keyword === 'additionalProperties')
    return `${path} has an unknown key "${String(error.params['additionalProperty'])}".`;
  if (error.keyword === 'required') return `${path} lacks "${String(error.params['missingProperty'])}".`;
  const found = keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
  const {allowedValues, allowedValue} = error.params as {allowedValues?: readonly unknown[]; allowedValue?: unknown};
  const allowed = allowedValues ?? (error.keyword === 'const' ? [allowedValue] : undefined);
  const wanted = allowed
    ? `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.map((one) => JSON.stringify(one)).join(', ')}`
    : (error.message ?? 'is not accepted');
  return `${path} ${wanted}, not ${shorten(JSON.stringify(found) ?? 'undefined')}.`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
