import type {JSONSchema} from '@gemini-kernel/kernel';
import {resultSchema, type ToolEntry} from '@gemini-kernel/kernel/host';

/** The schemas whose validators the build writes, by the name it gives them. */
export function knownSchemas(tools: Iterable<ToolEntry>): Readonly<Record<string, JSONSchema>> {
  return {result: resultSchema, ...Object.fromEntries([...tools].map(({name, input}) => [`input_${name}`, input]))};
}
