import type {Effect} from '@gemini-kernel/kernel';
import type {ToolInfo} from '@gemini-kernel/kernel/host';
import type {Tool} from '#sdk';

const READING: ReadonlySet<Effect> = new Set(['read', 'search', 'think', 'fetch']);
const DESTROYING: ReadonlySet<Effect> = new Set(['edit', 'delete', 'move', 'execute']);
const OUTSIDE: ReadonlySet<Effect> = new Set(['fetch', 'execute']);

/** A tool as clients see it. Its effect gives the annotations that it does not have itself. */
export function describeTool({name, description, input, output, effect, annotations}: ToolInfo): Tool {
  return {
    name,
    description,
    inputSchema: {...input, type: 'object'},
    // Clients demand that it is an object.
    ...(output?.['type'] === 'object' ? {outputSchema: {...output, type: 'object'}} : {}),
    annotations: {
      readOnlyHint: READING.has(effect),
      destructiveHint: DESTROYING.has(effect),
      openWorldHint: OUTSIDE.has(effect),
      ...annotations,
    },
  };
}
