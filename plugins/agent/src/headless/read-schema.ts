import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {Schema} from '../fitting-answer.js';

/** The JSON Schema in a file. Throws KernelError SCHEMA_UNREADABLE. */
export async function readSchema(file: string): Promise<Schema> {
  try {
    const schema = JSON.parse((await readText(file)).replace(/^\uFEFF/, '')) as Schema;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('It is not an object.');
    await findViolations(schema, null, 'it');
    return schema;
  } catch (cause) {
    const message = `Cannot use ${file} as a JSON Schema: ${messageOf(cause)}`;
    const hint = 'Pass a file with a JSON Schema as an object.';
    throw new KernelError('SCHEMA_UNREADABLE', message, {cause, hint});
  }
}
