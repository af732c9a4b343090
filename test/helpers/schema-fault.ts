import {createRequire} from 'node:module';
import {join} from 'node:path';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {checkout} from './plugin-root.js';

interface Validator {
  validateSchema(schema: JSONSchema): unknown;
  compile(schema: JSONSchema): unknown;
  errorsText(): string;
}

/** What was found, by the text of the schema: each request of a conversation carries the same ones. */
const known = new Map<string, string | undefined>();

/** Why something is not a JSON Schema, or undefined. */
export function findSchemaFault(schema: JSONSchema): string | undefined {
  const text = JSON.stringify(schema);
  if (!known.has(text)) known.set(text, compileFault(schema));
  return known.get(text);
}

function compileFault({$schema: _, ...schema}: JSONSchema): string | undefined {
  // The kernel's own ajv: the one that its schemas are checked with.
  const {Ajv2020} = createRequire(join(checkout, 'kernel', 'package.json'))('ajv/dist/2020.js') as {
    Ajv2020: new (options: object) => Validator;
  };
  const ajv = new Ajv2020({strict: false, validateFormats: false});
  if (ajv.validateSchema(schema) !== true) return ajv.errorsText();
  try {
    ajv.compile(schema);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
