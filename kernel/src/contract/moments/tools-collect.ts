import {defineHook} from '../hook.js';
import type {JSONSchema} from '../json-schema.js';
import type {Effect, Part, ToolAnnotations} from '../tool.js';

/** A tool that exists only at run time, such as one of a connected server. */
export interface RuntimeTool {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  /** The MCP server that it belongs to. */
  readonly server?: string;
  /** Does the work; as `run` of a tool file. */
  run(
    input: unknown,
    signal: AbortSignal,
  ): Promise<{model: string | readonly Part[]; display?: string; data?: unknown}>;
}

declare module '../registry.js' {
  interface Moments {
    'tools:collect': {kind: 'collect'; payload: Record<string, never>; answer: RuntimeTool};
  }
}

/** Asked whenever the list of tools is needed. Names of built-in and installed tools win. */
export const toolsCollect = defineHook('tools:collect', {
  kind: 'collect',
  description: 'Tools that exist only at run time.',
  answer: {
    type: 'object',
    required: ['name', 'description', 'input', 'effect'],
    properties: {
      name: {type: 'string', minLength: 1},
      description: {type: 'string'},
      input: {type: 'object'},
      effect: {type: 'string'},
    },
  },
});
